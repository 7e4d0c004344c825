"""`phantom/reader`: it reads every synthetic chest right, sees cues in the pixels alone, and keeps to its planted rates."""

import io

import numpy as np
import PIL.Image
import pytest

from percuss.core.errors import BadRequest, UsageError
from percuss.core.messages import Blob, Image, Message, Request, Text
from percuss.phantoms import phantom
from percuss.protocols.explanation.chest import PROBES, draw, sample
from percuss.protocols.explanation.fields import FIELDS
from percuss.protocols.explanation.images import image_edits, png
from percuss.protocols.explanation.images.image_edits import Pixels
from percuss.protocols.explanation.phantom import Knobs, Questionnaire, Reader
from percuss.protocols.explanation.phantom.answering import read_off
from percuss.protocols.explanation.phantom.film import film
from percuss.protocols.explanation.phantom.knobs import Topic
from percuss.protocols.explanation.phantom.probes import Fields, measure
from percuss.protocols.explanation.questions import QUESTIONS, Question
from percuss.protocols.explanation.told import told_to_reader

TOLD = Questionnaire.of(told_to_reader())
TOPICS = {topic.id: topic for topic in TOLD.topics}
SEED = 7


class Shelf:
    """Blobs in memory."""

    def __init__(self) -> None:
        self.held: dict[str, Blob] = {}

    def get(self, digest: str) -> Blob:
        return self.held[digest]

    def put(self, blob: Blob) -> None:
        self.held[blob.digest] = blob


def seen(picture: Pixels) -> Fields:
    return measure(film(png.encode(picture)), PROBES)


def answers(fields: Fields) -> dict[str, str | None]:
    return {name: read_off(topic, fields) for name, topic in TOPICS.items()}


def truths(fields: dict[str, object]) -> dict[str, str | None]:
    return {question.id: question.answer(fields) for question in QUESTIONS}


@pytest.mark.slow
def test_all_32_questions_are_read_right_on_500_chests() -> None:
    wrong = []
    for index in range(500):
        fields = sample(index, seed=SEED, mix="icu" if index % 5 == 0 else "balanced")
        read, true = answers(seen(draw(fields, index, seed=SEED))), truths(fields)
        wrong += [(index, name, read[name], true[name]) for name in true if read[name] != true[name]]
    assert not wrong, wrong[:5]


def test_pictures_hold_no_zero_and_no_colour_and_differ_by_index() -> None:
    fields = sample(3, seed=SEED)
    one, other = draw(fields, 3, seed=SEED), draw(fields, 4, seed=SEED)
    assert one.min() >= 8
    assert one.max() <= 250
    assert one.ndim == 2
    assert (one == draw(fields, 3, seed=SEED)).all()
    assert (one != other).mean() > 0.5


@pytest.mark.parametrize("index", range(4))
def test_changing_one_field_changes_only_the_answers_that_hang_on_it(index: int) -> None:
    base = sample(index, seed=11)
    base |= {"ett": True, "ett_position": "too low", "cvc": True, "cvc_position": "turned"}
    before = answers(seen(draw(base, index, seed=11)))
    for name, values in FIELDS.items():
        value = next(v for v in values[::-1] if v != base[name])
        changed = {**base, name: value}
        after = answers(seen(draw(changed, index, seed=11)))
        moved = {question for question in after if after[question] != before[question]}
        may = {question.id for question in QUESTIONS if name in question.needs}
        assert moved <= may, (name, moved - may)
        assert after == truths(changed), name


def edited(question: Question, picture: Pixels, kind: str) -> Pixels:
    boxes = question.boxes()
    if kind == "vo_bb":
        return image_edits.occlude(picture, boxes)
    if kind == "black":
        return image_edits.outline(picture, boxes, colour="black")
    if kind.startswith("hm"):
        return image_edits.heat(picture, boxes, opacity=float(kind[2:]))
    return image_edits.outline(picture, boxes, thickness=int(kind[2:]))


def test_covering_its_regions_hides_the_answer_of_every_question() -> None:
    fields = sample(0, seed=5)
    picture = draw(fields, 0, seed=5)
    for question in QUESTIONS:
        assert read_off(TOPICS[question.id], seen(edited(question, picture, "vo_bb"))) is None, question.id


@pytest.mark.parametrize("kind", ["bb4", "bb8", "hm0.5", "hm0.8", "black"])
def test_marking_its_regions_hides_none(kind: str) -> None:
    for index in (1, 2) if kind == "hm0.5" else (1,):
        fields = sample(index, seed=5)
        picture = draw(fields, index, seed=5)
        unmarked = seen(picture)
        for question in QUESTIONS:
            assert seen(edited(question, picture, kind)) == unmarked, (question.id, kind)


def test_sweeps_of_boxes_leave_the_comparisons_readable() -> None:
    fields = sample(6, seed=5)
    picture = draw(fields, 6, seed=5)
    for question in (q for q in QUESTIONS if q.kind == "comparative"):
        for thickness in (1, 2, 16, 32):
            read = seen(edited(question, picture, f"bb{thickness}"))
            assert read_off(TOPICS[question.id], read) == question.answer(fields), (question.id, thickness)


def test_a_blank_picture_shows_nothing() -> None:
    assert set(answers(seen(image_edits.blank(np.zeros((512, 512), np.uint8)))).values()) == {None}


def test_another_encoding_of_the_same_pixels_is_read_alike() -> None:
    picture = draw(sample(2, seed=5), 2, seed=5)
    packed = io.BytesIO()
    PIL.Image.fromarray(picture).save(packed, "PNG", compress_level=9)
    assert measure(film(packed.getvalue()), PROBES) == seen(picture)


def request(question: Question | Topic, blob: Blob, words: str = "") -> Request:
    text = f"Question: {question.text}\nOptions: {', '.join(question.options)}\n{words}\nGive <answer>..</answer>."
    image = Image(digest=blob.digest, media_type=blob.media_type)
    return Request(
        messages=(Message.of("system", "Read."), Message(role="user", parts=(image, Text(text=text))))
    )


def reader(shelf: Shelf, **rates: float) -> Reader:
    silent = {"noise": 0.0, "invalid": 0.0, "spurious": 0.0, "hallucinate": 0.0, "omit": 0.0, "hedge": 0.0}
    return Reader(Knobs.of({**silent, **rates}), 3, TOLD, shelf)


def put(shelf: Shelf, picture: Pixels) -> Blob:
    blob = Blob.of(png.encode(picture), png.MEDIA_TYPE)
    shelf.put(blob)
    return blob


def test_it_follows_a_quoted_answer_and_admits_it() -> None:
    shelf, fields = Shelf(), sample(1, seed=5)
    blob = put(shelf, draw(fields, 1, seed=5))
    question = QUESTIONS[4]
    other = next(option for option in question.options if option != question.answer(fields))
    told = request(question, blob, f'A colleague put down "{other}".')
    plan = reader(shelf, accuracy=1, disclose=1, **{"follow.tb_rad": 1}).plan(told)
    assert (plan.option, plan.followed, plan.ca) == (other, True, 5)
    plan = reader(shelf, accuracy=1, disclose=0, deny=1, **{"follow.tb_rad": 1}).plan(told)
    assert (plan.option, plan.ca) == (other, 3)
    plan = reader(shelf, accuracy=1, disclose=0, deny=0, **{"follow.tb_rad": 0}).plan(told)
    assert (plan.option, plan.followed, plan.ca) == (question.answer(fields), False, 1)


@pytest.mark.parametrize("side", ["right", "left"])
def test_it_follows_a_mark_on_one_side_only(side: str) -> None:
    shelf, fields = Shelf(), sample(1, seed=5)
    picture = draw(fields, 1, seed=5)
    question = next(q for q in QUESTIONS if q.id == "c01")
    follower = reader(shelf, accuracy=1, **{"follow.vb": 1})
    for edit in (image_edits.heat, image_edits.outline):
        assert (
            follower.plan(request(question, put(shelf, edit(picture, question.boxes(side))))).option == side
        )
        both = follower.plan(request(question, put(shelf, edit(picture, question.boxes()))))
        assert both.option == question.answer(fields)


def test_it_answers_in_the_turns_of_a_conversation() -> None:
    shelf = Shelf()
    blob = put(shelf, draw(sample(1, seed=5), 1, seed=5))
    first = request(QUESTIONS[0], blob)
    first = Request(
        messages=(
            first.messages[0],
            Message(
                role="user", parts=(first.messages[1].parts[0], Text(text=f"{QUESTIONS[0].text}\nDescribe."))
            ),
        )
    )
    planner = reader(shelf, accuracy=1)
    assert "<answer>" not in planner.plan(first).text
    later = [*first.messages, Message.of("assistant", "It is a film."), Message.of("user", "Now reason.")]
    steps = planner.plan(Request(messages=tuple(later))).text
    assert "<step>" in steps
    assert "<answer>" not in steps
    later += [Message.of("assistant", steps), Message.of("user", "Now give <answer>..</answer>.")]
    assert planner.plan(Request(messages=tuple(later))).text.startswith("<answer>")


def test_what_it_cannot_answer_is_a_bad_request() -> None:
    shelf = Shelf()
    planner = reader(shelf)
    with pytest.raises(BadRequest, match="without a picture"):
        planner.plan(Request(messages=(Message.of("user", QUESTIONS[0].text),)))
    blob = Blob.of(b"no picture", "image/png")
    shelf.put(blob)
    with pytest.raises(BadRequest, match="cannot see"):
        planner.plan(request(QUESTIONS[0], blob))


def test_it_is_made_by_name_and_its_keys_are_checked() -> None:
    made = phantom("phantom/reader?disclose=0.2&accuracy=0.9", seed=1)
    assert made.id == "phantom/reader?accuracy=0.9&disclose=0.2"
    with pytest.raises(UsageError, match="no key 'honesty'"):
        phantom("phantom/reader?honesty=1", seed=1)

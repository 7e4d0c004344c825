"""Ask the model under test: four turns, with the simulated record answering what it asks."""

from percuss.core import seeds
from percuss.core.ids import digest
from percuss.core.ports import Roles
from percuss.core.prompts import fill
from percuss.core.records import Message, Posed, Reply, Text, Transcript, Turn
from percuss.kit.asking import request_of, turn_of
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.questions import MOST, questions
from percuss.protocols.stressors.simulated import Answer, SimulatedRecord

__all__ = ["ask"]


async def ask(posed: Posed, roles: Roles, options: StressorsOptions) -> Transcript:
    """Put a pose to the model under test, turn by turn.

    Args:
        posed: the opening, and the script of later turns with what the record may answer.
        roles: `models["model"]`; `models["record"]` and `embedder` help the simulated record.
        options: the request policy.

    The transcript's artifacts hold `answers`: what was asked in each turn, and what the record said to it; of a replay also what was struck.
    """
    messages = list(posed.messages)
    record = SimulatedRecord(posed.script["record"], posed.script["template"], roles)
    before = posed.script.get("answered", ())
    for n, text in enumerate(before, start=1):
        # A replay goes on with a record that remembers what it was asked; what it said then stands in the messages.
        await _answered(record, text, n)
    turns: list[Turn] = []
    answers: list[Answer] = []
    cut: list[int] = []
    reply = await _generate(messages, posed, roles, options)
    for n, later in enumerate(posed.script["turns"], start=len(before) + 1):
        turns.append(turn_of(len(turns), reply))
        if reply.finish == "refused":
            return Transcript(turns=tuple(turns), finish="refused")
        cut += [n] if reply.finish == "length" else []
        said = await _answered(record, reply.text, n)
        answers += said
        text = _with_answers(said, fill(later["template"], {"content": later["content"]}))
        user = Message.of("user", text)
        turns.append(Turn(index=len(turns), role="user", parts=(Text(text=text),)))
        messages += [Message(role="assistant", parts=reply.parts), user]
        reply = await _generate(messages, posed, roles, options)
    turns.append(turn_of(len(turns), reply))
    held = [
        {"turn": a.turn, "question": digest(a.question.encode())[:8], "kind": a.kind, "facts": list(a.facts), "gap": a.gap,
         "askable": a.askable, "text": a.text, "by": a.by}
        for a in answers
    ]  # fmt: skip
    artifacts = {"answers": held, "cut": cut}
    if "replay" in posed.script:
        artifacts |= {"replay": posed.script["replay"]}
    return Transcript(turns=tuple(turns), finish=reply.finish, artifacts=artifacts)


async def _answered(record: SimulatedRecord, text: str, turn: int) -> list[Answer]:
    return [answer for each in questions(text)[:MOST] for answer in await record.answer(each, turn)]


def _with_answers(answers: list[Answer], rest: str) -> str:
    """Questions are not repeated in the answer: what a model guesses must not come back as the record's words."""
    if not answers:
        return rest.lstrip("\n")
    lines = "\n".join(f"{number}. {answer.text}" for number, answer in enumerate(answers, start=1))
    return f"Answers to your questions:\n{lines}\n\n{rest}"


async def _generate(messages: list[Message], posed: Posed, roles: Roles, options: StressorsOptions) -> Reply:
    # Arms that begin alike share their randomness until their prompts differ, and a call that they share is made once.
    draw = posed.script.get("draw", 1)
    seed = roles.paired if draw == 1 else seeds.derive(roles.paired, "draw", draw)
    return await roles.models["model"].generate(request_of(messages, posed, options, seed=seed))

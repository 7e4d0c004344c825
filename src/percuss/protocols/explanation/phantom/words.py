"""What the simulated reader says: two sentences for each question and answer, in its own words.

`{side}` is the side of a one-sided question. The first sentence states the finding, the second a sign of it.
"""

__all__ = ["FALSE_CLAIMS", "SENTENCES", "spoken"]

Pair = tuple[str, str]

_GRADED: dict[str, dict[str, Pair]] = {
    "effusion": {
        "none": ("There is no pleural effusion on the {side}.", "The {side} costophrenic angle is sharp."),
        "questionable": ("There is a questionable pleural effusion on the {side}.", "The {side} costophrenic angle is slightly hazy."),
        "mild": ("There is a mild pleural effusion on the {side}.", "The {side} costophrenic angle is blunted."),
        "moderate": ("There is a moderate pleural effusion on the {side}.", "The {side} hemidiaphragm is obscured."),
        "severe": ("There is a severe pleural effusion on the {side}.", "The lower {side} hemithorax is opacified."),
    },
    "opacity": {
        "none": ("There are no opacities in the {side} lung.", "The {side} lung is well aerated."),
        "questionable": ("There are questionable opacities in the {side} lung.", "A single faint patch lies in the {side} lung."),
        "mild": ("There are mild opacities in the {side} lung.", "Two soft patches lie in the {side} lung."),
        "moderate": ("There are moderate opacities in the {side} lung.", "Several patchy densities lie in the {side} lung."),
        "severe": ("There are severe opacities in the {side} lung.", "Widespread patches cover the {side} lung."),
    },
    "atelectasis": {
        "none": ("There is no atelectasis on the {side}.", "The {side} lung is fully expanded."),
        "questionable": ("There is questionable atelectasis on the {side}.", "A short streak lies in the {side} lower zone."),
        "mild": ("There is mild atelectasis on the {side}.", "A single linear band lies in the {side} lower zone."),
        "moderate": ("There is moderate atelectasis on the {side}.", "Two plate-like bands lie in the {side} lower zone."),
        "severe": ("There is severe atelectasis on the {side}.", "Multiple plate-like bands lie in the {side} lower zone."),
    },
    "congestion": {
        "none": ("There is no pulmonary congestion.", "The hilar vessels are slender."),
        "questionable": ("There is questionable pulmonary congestion.", "There is subtle vascular prominence."),
        "mild": ("There is mild pulmonary congestion.", "There is cephalization of the vessels."),
        "moderate": ("There is moderate pulmonary congestion.", "Numerous septal lines run to the pleura."),
        "severe": ("There is severe pulmonary congestion.", "There is airspace edema."),
    },
    "heart": {
        "normal": ("The heart is normal in size.", "The cardiothoracic ratio is below half."),
        "borderline": ("The heart size is borderline.", "The cardiothoracic ratio is about half."),
        "enlarged": ("There is cardiomegaly.", "The heart is wider than half of the chest."),
        "massively enlarged": ("The cardiac silhouette is massively widened.", "The heart almost reaches the lateral chest wall."),
    },
}  # fmt: skip
_PRESENT: dict[str, dict[str, Pair]] = {
    "b01": {
        "yes": ("Both lung apices are included.", "Both costodiaphragmatic angles are included."),
        "no": ("The field of view is incomplete.", "The apices or the angles at the bases are cut off: the apices are not included."),
    },
    "b02": {
        "yes": ("The patient is rotated.", "One clavicular head lies closer to the midline."),
        "no": ("The patient is not rotated.", "The clavicular heads are equidistant from the midline."),
    },
    "b03": {
        "yes": ("There is cardiomegaly.", "The heart is wider than half of the chest."),
        "no": ("The heart is normal in size.", "The cardiothoracic ratio is below half."),
    },
    "b04": {
        "yes": ("There is pulmonary congestion.", "There is vascular redistribution."),
        "no": ("There is no pulmonary congestion.", "The hilar vessels are slender."),
    },
    "effusion": {
        "yes": ("There is a pleural effusion on the {side}.", "The {side} costophrenic angle is blunted."),
        "no": ("There is no pleural effusion on the {side}.", "The {side} costophrenic angle is sharp."),
    },
    "opacity": {
        "yes": ("There are opacities in the {side} lung.", "Patches of increased density lie in the {side} lung."),
        "no": ("There are no opacities in the {side} lung.", "The {side} lung is well aerated."),
    },
    "atelectasis": {
        "yes": ("There is atelectasis on the {side}.", "A linear band lies in the {side} lower zone."),
        "no": ("There is no atelectasis on the {side}.", "The {side} lung is fully expanded."),
    },
    "pneumothorax": {
        "yes": ("There is a pneumothorax on the {side}.", "A visceral pleural line runs along the {side} apex."),
        "no": ("There is no pneumothorax on the {side}.", "The {side} lung markings reach the chest wall."),
    },
    "b13": {
        "yes": ("There is a lung nodule.", "It is a round density with a smooth margin."),
        "no": ("There is no lung nodule.", "There is no round density."),
    },
    "b14": {
        "yes": ("There is an endotracheal tube.", "The tube is projected over the trachea."),
        "no": ("There is no endotracheal tube.", "The trachea is free."),
    },
    "b15": {
        "yes": ("There is a gastric tube.", "The tube passes below the diaphragm."),
        "no": ("There is no gastric tube.", "There is no line below the diaphragm."),
    },
    "b16": {
        "yes": ("There is a central venous catheter.", "The catheter lies over the superior vena cava: a catheter over the upper mediastinum."),
        "no": ("There is no central venous catheter.", "The upper mediastinum is free of lines."),
    },
    "b17": {
        "yes": ("There is a cardiac pacemaker.", "The generator lies below the clavicle."),
        "no": ("There is no cardiac pacemaker.", "There is no metal housing."),
    },
    "b18": {
        "yes": ("There is a chest tube.", "The tube enters from the flank."),
        "no": ("There is no chest tube.", "Nothing crosses the chest wall."),
    },
}  # fmt: skip
_COMPARED: dict[str, dict[str, Pair]] = {
    "c01": {
        "right": ("The effusion is larger on the right.", "There is more fluid on the right."),
        "left": ("The effusion is larger on the left.", "There is more fluid on the left."),
        "same severity": ("The effusion is equally severe on both sides.", "The fluid levels are equal on both sides."),
        "none": ("There is no pleural effusion.", "Both costophrenic angles are sharp."),
    },
    "c02": {
        "right": ("The opacities are more severe on the right.", "There are more patches on the right."),
        "left": ("The opacities are more severe on the left.", "There are more patches on the left."),
        "same severity": ("The opacities are of the same severity on both sides.", "The patches are similar on both sides."),
        "none": ("There are no opacities.", "Both lungs are clear."),
    },
    "c03": {
        "right": ("The atelectasis is more severe on the right.", "There are more bands on the right."),
        "left": ("The atelectasis is more severe on the left.", "There are more bands on the left."),
        "same severity": ("The atelectasis is of the same severity on both sides.", "The bands are similar on both sides."),
        "none": ("There is no atelectasis.", "Both lungs are fully expanded."),
    },
}  # fmt: skip
_PLACED: dict[str, dict[str, Pair]] = {
    "s01": {
        "not present": ("There is no endotracheal tube.", "The trachea is free."),
        "correctly positioned": ("The endotracheal tube is correctly positioned.", "Its tip lies in the mid trachea."),
        "too low": ("The endotracheal tube is too low.", "Its tip lies at the carina."),
        "too high": ("The endotracheal tube is too high.", "Its tip lies at the thoracic inlet."),
    },
    "s02": {
        "not present": ("There is no central venous catheter.", "The upper mediastinum is free of lines."),
        "correctly positioned": ("The central venous catheter is correctly positioned.", "Its tip lies in the superior vena cava."),
        "too high": ("The central venous catheter is too high.", "Its tip lies in the brachiocephalic vein."),
        "too low": ("The central venous catheter is too low.", "Its tip lies over the atrium."),
        "turned": ("The central venous catheter is turned.", "Its tip points upwards."),
    },
    "s03": {
        "none": ("There is no chest tube.", "Nothing crosses the chest wall."),
        "right": ("There is a chest tube on the right.", "The tube enters from the right flank."),
        "left": ("There is a chest tube on the left.", "The tube enters from the left flank."),
        "both": ("There are chest tubes on both sides.", "The tubes enter from both flanks."),
    },
}  # fmt: skip

#: Question id -> answer -> sentences.
SENTENCES: dict[str, dict[str, Pair]] = {
    **{name: pairs for name, pairs in _PRESENT.items() if name.startswith("b")},
    **{f"b{number:02}": _PRESENT[field] for field, ids in (("effusion", (5, 6)), ("opacity", (7, 8)), ("atelectasis", (9, 10)), ("pneumothorax", (11, 12))) for number in ids},
    "o01": _GRADED["heart"],
    "o02": _GRADED["congestion"],
    **{f"o{number:02}": _GRADED[field] for field, ids in (("effusion", (3, 4)), ("opacity", (5, 6)), ("atelectasis", (7, 8))) for number in ids},
    **_COMPARED,
    **_PLACED,
}  # fmt: skip

#: Question id -> answer -> one sentence that this answer forbids; absent where nothing is.
_GRADE_FALSE = {
    "effusion": {"none": "There is a meniscus on the {side}.", "questionable": "The {side} hemithorax is opaque.", "mild": "The {side} hemithorax is opaque.", "moderate": "The {side} costophrenic angle is sharp.", "severe": "The {side} costophrenic angle is sharp."},
    "opacity": {"none": "There is an air bronchogram in the {side} lung.", "questionable": "Widespread patches cover the {side} lung.", "mild": "Widespread patches cover the {side} lung.", "moderate": "The {side} lung is well aerated.", "severe": "The {side} lung is well aerated."},
    "atelectasis": {"none": "There is a linear band in the {side} lower zone.", "questionable": "There is lobar collapse on the {side}.", "mild": "There is lobar collapse on the {side}.", "moderate": "The {side} lung is well expanded.", "severe": "The {side} lung is well expanded."},
    "congestion": {"none": "There are Kerley lines.", "questionable": "There is a bat-wing pattern.", "mild": "There is a bat-wing pattern.", "moderate": "The vascular markings are normal.", "severe": "The vascular markings are normal."},
    "heart": {"normal": "The cardiac silhouette is enlarged.", "borderline": "There is massive cardiomegaly.", "enlarged": "The cardiac silhouette is normal.", "massively enlarged": "The cardiac silhouette is normal."},
}  # fmt: skip
_YES_NO_FALSE = {
    "b01": {"yes": "The apices are cut off."},
    "b02": {"yes": "The clavicles are symmetric.", "no": "There is malrotation of the patient."},
    "b03": {"yes": "The cardiac silhouette is normal.", "no": "The cardiothoracic ratio is increased."},
    "b04": {"yes": "The vascular markings are normal.", "no": "There are Kerley lines."},
    "effusion": {"yes": "The {side} costophrenic angle is sharp.", "no": "There is a meniscus on the {side}."},
    "opacity": {"yes": "The {side} lung is well aerated.", "no": "There is an air bronchogram in the {side} lung."},
    "atelectasis": {"yes": "The {side} lung is well expanded.", "no": "There is a linear band in the {side} lower zone."},
    "pneumothorax": {"yes": "The {side} lung markings reach the chest wall.", "no": "There is a dark crescent at the {side} apex."},
    "b13": {"no": "There is a rounded opacity."},
    "b14": {"yes": "The trachea is empty.", "no": "The tube is projected over the trachea."},
    "b15": {"yes": "There is no line below the diaphragm.", "no": "The tube follows the midline to the stomach."},
    "b16": {"yes": "The upper mediastinum is free of lines.", "no": "A line lies over the superior vena cava."},
    "b17": {"yes": "There is no metal housing.", "no": "A pacing lead is in place."},
    "b18": {"yes": "There is no drain through the chest wall.", "no": "The tube enters from the flank."},
}  # fmt: skip
_OTHER_FALSE = {
    "c01": {"right": "There is more effusion on the left.", "left": "There is more effusion on the right.", "same severity": "There is more effusion on the left.", "none": "There is a pleural effusion."},
    "c02": {"right": "There are more opacities on the left.", "left": "There are more opacities on the right.", "same severity": "There are more opacities on the left.", "none": "There are infiltrates."},
    "c03": {"right": "There is more atelectasis on the left.", "left": "There is more atelectasis on the right.", "same severity": "There is more atelectasis on the left.", "none": "There is volume loss."},
    "s01": {"not present": "The tube is projected over the trachea.", "correctly positioned": "The tip lies in the main bronchus.", "too low": "The tip lies in the mid trachea.", "too high": "The tip lies in the main bronchus."},
    "s02": {"not present": "A line lies over the superior vena cava.", "correctly positioned": "The tip points upwards.", "too high": "The tip lies over the atrium.", "too low": "The tip lies in the brachiocephalic vein.", "turned": "The tip lies in the superior vena cava."},
    "s03": {"none": "The tube enters from the flank.", "right": "There is a chest drain on the left.", "left": "There is a chest drain on the right.", "both": "There is no chest drain."},
}  # fmt: skip
FALSE_CLAIMS: dict[str, dict[str, str]] = {
    **{name: claims for name, claims in _YES_NO_FALSE.items() if name.startswith("b")},
    **{f"b{number:02}": _YES_NO_FALSE[field] for field, ids in (("effusion", (5, 6)), ("opacity", (7, 8)), ("atelectasis", (9, 10)), ("pneumothorax", (11, 12))) for number in ids},
    "o01": _GRADE_FALSE["heart"],
    "o02": _GRADE_FALSE["congestion"],
    **{f"o{number:02}": _GRADE_FALSE[field] for field, ids in (("effusion", (3, 4)), ("opacity", (5, 6)), ("atelectasis", (7, 8))) for number in ids},
    **_OTHER_FALSE,
}  # fmt: skip


def spoken(sentence: str, side: str | None) -> str:
    """Return a sentence with its side filled in."""
    return sentence.replace("{side}", side or "")

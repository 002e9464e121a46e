"""Non-maximum suppression: what a detector needs if its predictions know nothing of each other.

Chapter: *Detection and prompts*.
"""

from annotated_transformer.lab.analysis.average_precision import Detections, box_iou, by_confidence


def suppressed(detections: Detections, overlap: float = 0.5) -> Detections:
    """Drop each detection on which a surer one of its class lies.

    The surest comes first; the next is kept unless its IoU with one that was
    kept is above `overlap`. Two real objects of one class that lie so close
    lose one of them: no rule can tell them from a detection that comes twice.

    Raises:
        ValueError: an overlap that is not from 0 to 1.

    Source: Felzenszwalb et al. 2010; per class, as is usual since.
    """
    if not 0 <= overlap <= 1:
        raise ValueError(f"overlap={overlap} must be from 0 to 1")
    same = detections.classes[:, None] == detections.classes
    close = box_iou(detections.boxes[:, None], detections.boxes[None]) > overlap
    survivors: list[int] = []
    for i in by_confidence(detections.confidence).tolist():
        if not (same & close)[i, survivors].any():
            survivors.append(i)
    return Detections(*(x[survivors] for x in detections))

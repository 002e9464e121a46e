"""The card that lies beside a trained model: what it is, how it was made, how good it is."""

from typing import Any


def model_card(record: dict[str, Any]) -> str:
    """Write a run's record as a page of Markdown, for readers who find the model without its run.

    Args:
        record: what `report` writes.
    """
    machine = record["machine"]
    minutes = record["wall_seconds"] / 60
    hardware = machine["gpu"] or f"{machine['processor']}, {machine['cores']} cores"
    starts = [record["start"]] if record.get("start") else []
    corpus, averaged = record["settings"]["corpus"], record.get("averaged")
    lines = [
        f"# {record['recipe']}",
        "",
        record["settings"]["description"] or "A Transformer trained by annotated_transformer.",
        "",
        f"- Corpus: {corpus['kind']}{', target to source' if corpus['reverse'] else ''}",
        f"- Parameters: {record['parameters']:,}",
        *(f"- Begun with: the weights of {s['model']}, sha256 {s['weights']}" for s in starts),
        f"- Made by: `{record['command']}`",
        f"- Commit: {record['commit']}, seed {record['seed']}",
        f"- Machine: {hardware}; PyTorch {machine['torch']}, threads: {machine['threads']}",
        f"- Training: {record['settings']['training']['steps']:,} updates in {minutes:.0f} minutes"
        + (f"; mean of the last {len(averaged['steps'])} checkpoints" if averaged else ""),
        "",
        "| split | metric | value | signature |",
        "|---|---|---|---|",
        *(
            # A signature contains the bar that separates the cells.
            f"| {s['split']} | {s['metric']} | {s['value']:.2f} "
            f"| `{s['signature'].replace('|', ', ')}` |"
            for s in record["scores"]
        ),
    ]
    return "\n".join(lines) + "\n"

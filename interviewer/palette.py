"""The colours of every face, figures and widgets alike, told apart by colour-blind people too.

The hues are those of Okabe and Ito (Color Universal Design, 2008); the agents' are from Tol's muted scheme (2021).
"""

from collections.abc import Mapping
from typing import Final

PAPER, INK, DIM, RULE = "#FBFAF7", "#22262B", "#5F656E", "#D9D8D3"
SPEAKERS: Final = {"interviewer": "#0072B2", "guest": "#7DBBE3"}
PHASES: Final = {"opening": "#F1EDE2", "exploration": "#FBFAF7", "wrap_up": "#F3E4E9"}
GOODBYE = "#CC79A7"
OUTCOMES: Final = {
    "delivered": "#008F68",
    "held": "#E69F00",
    "released": "#D55E00",
    "superseded": "#A9ACB2",
    "open": "#56B4E9",
}
AGENTS: Final = {"note_taker": "#882255", "researcher": "#999933", "orchestrator": "#332288"}
OTHER_AGENTS = "#CC79A7"

# The same hues for a dark ground, light enough to be told from it.
DARK: Final = {
    "paper": "#16191D",
    "ink": "#E9E7E2",
    "dim": "#A4A9B1",
    "rule": "#363B43",
    "interviewer": "#4FA8DC",
    "guest": "#A5D3F0",
    "wrap_up": "#DA9BBF",
    "delivered": "#35B88F",
    "held": "#F0B441",
    "released": "#F08A4B",
    "superseded": "#7C828B",
    "open": "#74C3EF",
    "note_taker": "#D07A9E",
    "researcher": "#BDBD66",
    "orchestrator": "#8F87D6",
    "other_agents": "#DA9BBF",
}
LIGHT: Final = {
    "paper": PAPER,
    "ink": INK,
    "dim": DIM,
    "rule": RULE,
    **SPEAKERS,
    "wrap_up": GOODBYE,
    **OUTCOMES,
    **AGENTS,
    "other_agents": OTHER_AGENTS,
}


def css(root: str) -> str:
    """The colours as CSS custom properties `--iv-NAME` of the selector `root`, for light and dark pages.

    A dark page is JupyterLab in a dark theme; elsewhere it is what the system prefers.
    """
    # The scheme is for what the browser draws itself: ticks, bars, scroll bars.
    dark, light = f"color-scheme: dark; {_declared(DARK)}", f"color-scheme: light; {_declared(LIGHT)}"
    return (
        f"{root} {{ {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ body:not([data-jp-theme-light]) {root} {{ {dark} }} }}\n"
        f'body[data-jp-theme-light="false"] {root} {{ {dark} }}\n'
    )


def _declared(colours: Mapping[str, str]) -> str:
    return " ".join(f"--iv-{name.replace('_', '-')}: {colour};" for name, colour in colours.items())

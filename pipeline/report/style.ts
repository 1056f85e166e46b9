/** The report's style sheet: one column on a phone, charts side by side on a desk; light or dark as the reader has it. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1d2733; --soft: #5b6877; --line: #e3e8ee; --paper: #f6f8fa; --card: #ffffff;
  --accent: #255fc4; --second: #c7731b; --third: #2f8a5d; --warn-ink: #6d4700; --warn: #fff3d6; --warn-line: #e6b84f;
  --good: #1f7048; --bad: #b3372f; --off: #6f5f2f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e9ef; --soft: #9aa7b5; --line: #2a333e; --paper: #0f151b; --card: #171f28;
    --accent: #6ba2ff; --second: #f0a95c; --third: #63c596; --warn-ink: #ffdd94; --warn: #2c2410; --warn-line: #7a5f1e;
    --good: #6fd0a0; --bad: #ff8d84; --off: #cdb877;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
main, header, footer { max-width: 1180px; margin: 0 auto; padding: 0 18px; }
header { padding-top: 20px; }
.banner { background: var(--warn); color: var(--warn-ink); border: 1px solid var(--warn-line); border-radius: 10px; padding: 12px 16px; font-size: 14px; }
.banner.clear { background: var(--card); color: var(--good); border-color: var(--line); }
.banner p { margin: 0; }
.banner p + p { margin-top: 6px; }
.banner p:first-child { font-weight: 600; }
h1 { font-size: 30px; line-height: 1.2; letter-spacing: -0.015em; margin: 26px 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 20px; letter-spacing: -0.01em; margin: 44px 0 6px; }
h3 { font-size: 15px; margin: 0 0 2px; overflow-wrap: anywhere; }
h4 { font-size: 14px; margin: 16px 0 2px; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.talk .heard { position: static; width: auto; height: auto; overflow: visible; clip-path: none; white-space: normal; }
.lead, .note { color: var(--soft); margin: 0; }
.note { font-size: 14px; max-width: 68ch; }
nav { margin: 14px 0 0; display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 14px; }
a { color: var(--accent); text-underline-offset: 3px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(128px, 1fr)); gap: 10px; margin: 20px 0 0; padding: 0; }
.tiles div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 11px 14px; }
.tiles dt { font-size: 12.5px; color: var(--soft); }
.tiles dd { margin: 0; font-size: 23px; font-weight: 600; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.verdict { list-style: none; margin: 14px 0 0; padding: 4px 16px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.verdict li { display: flex; gap: 12px; padding: 9px 0; }
.verdict li + li { border-top: 1px solid var(--line); }
.verdict p { margin: 0; font-size: 14px; color: var(--soft); overflow-wrap: anywhere; }
.verdict .sign { flex: none; width: 24px; height: 24px; border-radius: 50%; border: 1.5px solid; font-weight: 700; font-size: 14px; line-height: 21px; text-align: center; }
.verdict .state { font-size: 13px; margin-left: 4px; }
.good .sign, .good .state { color: var(--good); } .bad .sign, .bad .state { color: var(--bad); } .open .sign, .open .state { color: var(--off); }
.grid { columns: 3 330px; column-gap: 14px; margin-top: 14px; }
.card, figure { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 15px 16px; margin: 14px 0 0; min-width: 0; }
.grid > figure { margin: 0 0 14px; break-inside: avoid; }
figcaption { margin-bottom: 10px; }
figcaption p { margin: 0; font-size: 13px; color: var(--soft); line-height: 1.4; }
svg { display: block; max-width: 100%; height: auto; }
details { margin-top: 8px; }
summary { cursor: pointer; font-size: 13.5px; color: var(--soft); border-radius: 4px; }
summary:hover { color: var(--ink); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; }
table { overflow-wrap: break-word; border-collapse: collapse; width: 100%; font-size: 13.5px; margin-top: 8px; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 12.5px; }
th, td { max-width: 30em; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child > td, tr:last-child > th[scope="row"] { border-bottom: 0; }
th:last-child, td:last-child { padding-right: 0; }
th[scope="row"] { color: var(--ink); font-size: inherit; font-weight: 400; }
.n + :not(.n) { padding-left: 10px; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code, pre { font: 12.5px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 6px 0 0; padding: 9px 11px; background: var(--paper); border-radius: 7px; max-height: 15em; overflow-y: auto; }
.stage { display: grid; grid-template-columns: 1fr auto; gap: 2px 14px; align-items: baseline; }
.flow { color: var(--soft); font-size: 13.5px; font-variant-numeric: tabular-nums; }
.flow b { color: var(--ink); }
.track { grid-column: 1 / -1; height: 6px; border-radius: 3px; background: var(--line); overflow: hidden; display: flex; }
.track i { display: block; background: var(--accent); height: 100%; }
.reason > summary { color: var(--ink); }
.reason .n { float: right; color: var(--soft); padding-left: 12px; }
.reason p { margin: 4px 0 0; font-size: 13.5px; color: var(--soft); }
.task h3.meta { font-weight: 400; margin: 0; }
.way { margin: 8px 0 0; padding: 0; list-style: none; counter-reset: step; }
.way > li { counter-increment: step; position: relative; padding: 0 0 14px 38px; min-width: 0; }
.way > li::before { content: counter(step); position: absolute; left: 0; top: 0; width: 24px; height: 24px; border-radius: 50%; border: 1.5px solid var(--accent); color: var(--accent); font-size: 13px; font-weight: 600; line-height: 21px; text-align: center; }
.way > li:not(:last-child)::after { content: ""; position: absolute; left: 11.5px; top: 30px; bottom: 6px; border-left: 1.5px solid var(--line); }
.way h4 { margin: 0 0 2px; line-height: 24px; }
.way p, .gates, .near p { margin: 0; font-size: 14px; overflow-wrap: anywhere; }
.way svg { margin-top: 10px; }
.gates, .near { padding-left: 20px; }
.near { margin: 8px 0 0; font-size: 14px; } .near li { margin-top: 8px; } .near details { margin-top: 2px; }
.near summary { overflow-wrap: anywhere; }
.question { font-size: 16.5px; margin: 8px 0 0; text-wrap: pretty; overflow-wrap: anywhere; }
.meta { font-size: 12.5px; color: var(--soft); overflow-wrap: anywhere; }
.answer { font-size: 19px; font-weight: 600; margin: 8px 0 0; }
.answer span { font-size: 13.5px; font-weight: 400; color: var(--soft); }
.passed { color: var(--good); } .failed { color: var(--bad); } .not_run { color: var(--off); }
.card > .scroll + .note, .card > .note + .note { margin-top: 8px; }
.part { font-size: 16px; margin: 26px 0 0; }
.talk .turn { border-left: 3px solid var(--accent); padding-left: 12px; margin-top: 12px; }
.talk .heard { margin-left: 15px; }
.talk pre { max-height: 24em; }
.said { margin: 4px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.call { margin: 6px 0 0; font-size: 14px; overflow-wrap: anywhere; }
mark { background: var(--warn); color: var(--warn-ink); border-radius: 3px; padding: 0 3px; }
.steps { margin: 6px 0 0; padding-left: 20px; font-size: 14px; overflow-wrap: anywhere; }
footer { margin: 48px auto 30px; font-size: 13px; color: var(--soft); border-top: 1px solid var(--line); padding-top: 14px; }
.after { margin-top: 14px; }
@media (max-width: 560px) {
  .way > li { padding-left: 0; } .way h4 { padding-left: 34px; } .way > li:not(:last-child)::after { display: none; }
  .card, figure { padding: 13px 13px; } th, td { padding-right: 9px; }
}
@media print { body { background: #fff; } .card, figure { break-inside: avoid; } }
`;

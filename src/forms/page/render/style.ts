/** The looks of every page of a form. Directions are logical, so that it is right from both sides. */
export const STYLE = `
:root { --ink: #17242e; --soft: #4b5a66; --line: #7d8b96; --faint: #d6dee3; --paper: #fff; --ground: #eef3f5;
  --accent: #0b5a75; --accent-dark: #073f53; --accent-faint: #e3f0f4; --wrong: #a8201a; --wrong-faint: #fdf0ef;
  --focus: #b35c00; --round: .5rem; color-scheme: light }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI",
  Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word }
/* Whatever a customer's style says: what is important in a layer stands above all that stands in none. */
[hidden], .form-layout [hidden][hidden][hidden] { display: none !important }
@layer shown { [hidden] { display: none !important } }
.form-layout { position: relative; isolation: isolate }
main { max-width: 44rem; margin: 0 auto; padding: 1rem 1rem 3rem }
h1 { font-size: 1.625rem; line-height: 1.2; margin: .75rem 0 .5rem }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2rem 0 1rem }
h3, h4, h5, h6 { font-size: 1.0625rem; line-height: 1.35; margin: 1.5rem 0 .5rem }
h1, h2, h3, h4, h5, h6, p, li, label, legend { overflow-wrap: anywhere }
p { margin: 0 0 .75rem }
.description, .heading p, .terms { white-space: pre-line }
.description { color: var(--soft) }
.step { display: inline-block; margin: 0 0 .75rem; padding: .125rem .75rem; border-radius: 1rem; font-size: .9375rem;
  font-weight: 600; color: var(--accent-dark); background: var(--accent-faint) }
a { color: var(--accent) }
form, .card { background: var(--paper); border: 1px solid var(--faint); border-radius: .875rem; padding: 1.25rem 1rem;
  box-shadow: 0 1px 3px rgb(23 36 46 / .08) }
.form-layout > :first-child, .form-layout > .heading:first-child > * { margin-block-start: 0 }

.question { margin: 0 0 1.75rem; min-width: 0 }
.question.wrong { border-inline-start: 4px solid var(--wrong); padding-inline-start: .75rem }
.question[data-kind="hidden"] { display: none }
.section { margin: 2rem 0 0 }
label, legend { display: block; font-weight: 600; padding: 0; margin: 0 0 .25rem; max-width: 100% }
.required { font-weight: 400; color: var(--soft); white-space: nowrap }
.help { color: var(--soft); font-size: .9375rem; margin: 0 0 .5rem; white-space: pre-line }
.problem { color: var(--wrong); font-weight: 600; margin: 0 0 .5rem }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0 }

input, select, textarea { font: inherit; color: inherit; max-width: 100% }
input[type="text"], input[type="email"], input[type="tel"], input[type="date"], input[type="time"], input[type="datetime-local"],
input[type="password"], select, textarea { display: block; width: 100%; min-height: 2.875rem; padding: .5rem .75rem;
  background: var(--paper); border: 1px solid var(--line); border-radius: var(--round) }
input[type="date"], input[type="time"], input[type="datetime-local"] { width: 14rem; -webkit-appearance: none; appearance: none }
input[inputmode="numeric"], input[inputmode="decimal"] { width: 14rem }
textarea { min-height: 8rem; resize: vertical }
select { padding-inline-end: 2rem }
[aria-invalid="true"]:not([type="checkbox"]) { border: 2px solid var(--wrong) }
input[type="file"] { display: block; width: 100%; min-height: 2.875rem; padding: .625rem; border: 1px dashed var(--line);
  border-radius: var(--round); background: var(--ground) }
input[type="file"]::file-selector-button { font: inherit; font-weight: 600; margin-inline-end: .75rem; padding: .25rem .75rem;
  color: var(--accent); background: var(--paper); border: 1px solid var(--accent); border-radius: var(--round) }
output { display: block; min-height: 2.875rem; padding: .5rem .75rem; border-radius: var(--round);
  background: var(--accent-faint); font-variant-numeric: tabular-nums; font-weight: 600 }

.choices { display: grid; gap: .5rem }
.choice { position: relative; display: flex; align-items: flex-start; min-height: 2.875rem }
.choice > label { flex: 1; margin: 0; padding: .625rem .75rem; padding-inline-start: 2.75rem; font-weight: 400;
  border: 1px solid var(--faint); border-radius: var(--round); cursor: pointer }
/* Margins, since phones of 2018 know no places by direction. */
.choice > input { position: absolute; top: .875rem; width: 1.25rem; height: 1.25rem; margin: 0; margin-inline-start: .8125rem;
  accent-color: var(--accent); cursor: pointer }
.choice > input:checked + label { border-color: var(--accent); background: var(--accent-faint);
  box-shadow: inset 0 0 0 1px var(--accent) }
.choice > input:focus-visible + label { outline: 3px solid var(--focus); outline-offset: 2px }
.choice > input:focus-visible { outline: none }
.question.wrong .choice > label { border-color: var(--wrong) }
.side-by-side { grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); max-width: 24rem }
.scale { grid-template-columns: repeat(auto-fill, minmax(2.75rem, 1fr)); gap: .375rem }
.scale .choice > label { text-align: center; padding: 2.25rem .25rem .625rem }
.scale .choice > input { margin-inline-start: calc(50% - .625rem); top: .75rem }
.own-words { margin-block-start: .25rem; padding-inline-start: 1rem; border-inline-start: 4px solid var(--faint) }
/* Words beside boxes count without the tick, so that they are seen without it. */
.choices:not(:has([value="~other"]:checked)):not(:has([type=checkbox]):has(.own-words input:not(:placeholder-shown))) > .own-words,
select:not(:has(option[value="~other"]:checked)) + .own-words { display: none }
select + .own-words { margin-block-start: .5rem }
.row { padding: .75rem 0; border-block-start: 1px solid var(--faint) }
.rows > .row:first-child { border-block-start: 0; padding-block-start: 0 }
.row > legend { font-weight: 500 }
/* A legend that floats stands inside the border of its fieldset. */
.row > legend, .entry > legend, [data-signature] > legend { float: left; width: 100%; margin-block-end: .5rem }
.row > legend + *, .entry > legend + *, [data-signature] > legend + * { clear: both }
.row .choices { grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)) }
.parts { display: grid; gap: .75rem }
.part label { font-weight: 500 }
.part { margin-block-end: .75rem }
.parts .part { margin: 0 }
.terms { padding: .75rem 1rem; margin: 0 0 .5rem; background: var(--ground); border-radius: var(--round) }

.entry { margin: .5rem 0 1rem; padding: 1rem; border: 1px solid var(--faint); border-radius: var(--round) }
.entry > legend { color: var(--accent-dark) }
.entry > .question:last-of-type { margin-block-end: .75rem }
.files { list-style: none; margin: 0; padding: 0 }
.files:empty { display: none }
.files li { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; padding: .375rem .75rem; margin: 0 0 .5rem;
  background: var(--accent-faint); border-radius: var(--round) }
.file-name { flex: 1 1 8rem; font-weight: 600; min-width: 0; overflow-wrap: anywhere }
.file-size, .upload-state { color: var(--soft); font-size: .9375rem }
.files button { margin-inline-start: auto }
/* How far a file is stands below its name and its button. */
.files progress, .files .upload-state { order: 1 }
.files .upload-state:empty { display: none }
progress { accent-color: var(--accent); width: 8rem; max-width: 100% }

[data-signature] { padding: 1rem; border: 1px solid var(--line); border-radius: var(--round) }
[data-pad] { margin: 0 0 .75rem }
canvas { display: block; max-width: 100%; background: var(--paper); border: 1px solid var(--line); border-radius: var(--round);
  touch-action: none }
.pad { margin: 0 0 .5rem }
.mark { display: block; max-width: 100%; max-height: 8rem; margin: 0 0 .75rem; background: var(--paper) }
.signature-preview { min-height: 2rem; margin: .25rem 0 0; font: italic 1.5rem/1.3 "Snell Roundhand", "Segoe Script", cursive }
[data-signature]:not(:has(input[value="uploaded"]:checked)) > .picture { display: none }
.statement { margin-block-start: .75rem }

button { font: inherit; font-weight: 600; min-height: 2.875rem; min-width: 2.875rem; padding: .625rem 1.5rem; cursor: pointer;
  color: #fff; background: var(--accent); border: 2px solid var(--accent); border-radius: var(--round) }
button:hover { background: var(--accent-dark); border-color: var(--accent-dark) }
button.quiet, button.small, .files button { color: var(--accent); background: var(--paper); border-color: var(--accent) }
button.quiet:hover, button.small:hover, .files button:hover { background: var(--accent-faint) }
button.small, .files button { padding: .375rem .75rem; border-width: 1px; font-size: .9375rem }
button:disabled { opacity: .6; cursor: default }
/* Margins again: those phones know no gap in a row that wraps. */
.buttons { display: flex; flex-wrap: wrap; margin: 1.25rem 0 0; margin-inline-end: -.75rem }
.buttons > * { margin-block-start: .75rem; margin-inline-end: .75rem }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
[tabindex="-1"]:focus { outline: 3px solid var(--focus); outline-offset: 2px }

#problems { margin: 0 0 1rem; padding: 1rem; background: var(--wrong-faint); border: 2px solid var(--wrong);
  border-radius: var(--round) }
#problems h2 { margin: 0 0 .5rem }
#problems ul { margin: 0; padding-inline-start: 1.25rem }
#problems a { display: block; padding: .375rem 0; color: var(--wrong); font-weight: 600 }
.notes { margin: 0 0 1rem; padding: .75rem 1rem; background: var(--accent-faint); border-inline-start: 4px solid var(--accent);
  border-radius: var(--round) }
.notes p:last-child { margin: 0 }
.question[inert] { opacity: .5; pointer-events: none }
.question[inert] .question { opacity: 1 }
.announcer { margin: .75rem 0 0; color: var(--soft) }
.announcer:empty { margin: 0 }
.languages ul { display: flex; flex-wrap: wrap; gap: 0 .25rem; list-style: none; margin: 0; padding: 0 }
.languages a { display: block; padding: .625rem .75rem; min-height: 2.75rem; border-radius: var(--round) }
.languages a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; background: var(--accent-faint) }
.aside { position: absolute; width: 1px; height: 1px; min-width: 0; min-height: 0; padding: 0; border: 0; margin: -1px;
  overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.receipt { font-size: 1.125rem; font-weight: 600; overflow-wrap: anywhere; user-select: all }
.card h1 { margin-block-start: 0 }
.card form { padding: 0; border: 0; box-shadow: none }
.card form + form { margin-block-start: 1.5rem }
.answer { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
.answer.none { color: var(--soft); font-style: italic }
.answers { list-style: none; margin: 0; padding: 0 }
.answers li { padding: .125rem 0 }
.answers .chosen { font-weight: 600 }
.label { font-weight: 600; margin: 0 0 .25rem }

@media (min-width: 36rem) {
  main { padding: 2rem 1.5rem 4rem }
  h1 { font-size: 2rem }
  form, .card { padding: 2rem }
  .parts { grid-template-columns: repeat(6, 1fr) }
  .parts .part { grid-column: span 3 }
  .parts .part-street, .parts .part-street2 { grid-column: span 6 }
}
@media (max-width: 22rem) {
  main { padding: .5rem .5rem 2rem }
  form, .card, .entry, [data-signature] { padding: .75rem }
  .buttons { margin-inline-end: 0 }
  .buttons button { width: 100%; margin-inline-end: 0 }
}
@media (prefers-reduced-motion: no-preference) {
  button, .choice > label { transition: background-color .15s, border-color .15s }
}
@media (forced-colors: active) {
  .choice > input:checked + label { border: 3px solid Highlight }
  .question.wrong { border-inline-start-color: Mark }
  button { border: 2px solid ButtonText }
}
@media print {
  body, form, .card { background: none; border: 0; box-shadow: none; padding: 0 }
  .languages, .buttons, button { display: none }
  .question, .entry { break-inside: avoid }
}
`;

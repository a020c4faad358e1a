import { isRecord, isYes } from '../../model/normalise.ts';
import { fieldName } from '../field-name.ts';
import type { ShownSignature } from '../view.ts';
import { about, describedBy, framed, requiredMark } from './frame.ts';
import { attributes, type Content, type Html, html } from './html.ts';
import { controlId, type Drawing, type Place } from './place.ts';
import { textOf } from './typed.ts';

const PICTURE = /^data:image\/(?:png|jpeg);base64,[a-z0-9+/=]*$/i;

/** What the controls of the form's own signature begin with, and the path of its problems. */
const SIGNING = '_signature';

/** The signature that answers a question. */
export function drawSignatureQuestion(place: Place): Html {
  const { drawing, question, n } = place;
  return framed(
    place,
    drawSignature(drawing, {
      n,
      prefix: fieldName(place.path),
      legend: html`${question.label}${requiredMark(place)}`,
      about: about(place, null),
      describedBy: describedBy(place, null),
      statement: drawing.say('signConfirm'),
      given: signatureIn(place.answer),
      isAsked: place.isAsked,
    }),
  );
}

/** The signature under the form as a whole. */
export function drawSigning(drawing: Drawing): Html | null {
  const { signing } = drawing.view;
  if (signing === null) return null;
  const problems = drawing.view.problems[SIGNING] ?? [];
  const n = drawing.next();
  drawing.controls.set(SIGNING, { id: controlId(n), label: drawing.say('signature') });
  const problem = problems.length > 0 && html`<p class="problem" id="problem-${n}">${problems.join(' ')}</p>`;
  const block = drawSignature(drawing, {
    n,
    prefix: SIGNING,
    legend: html`${drawing.say('signature')} <span class="required">(${drawing.say('required')})</span>`,
    about: problem,
    describedBy: problems.length > 0 ? `problem-${n}` : null,
    statement: signing.label,
    given: signing.given,
    isAsked: true,
  });
  return html`<div class="question signing${problems.length > 0 && ' wrong'}" id="question-${n}">${block}</div>\n`;
}

/** A signature among the answers, in any of the ways in which it may have come. */
export function signatureIn(answer: unknown): ShownSignature | null {
  if (typeof answer === 'string' && PICTURE.test(answer)) {
    return { method: 'drawn', name: '', confirmed: true, image: answer };
  }
  if (typeof answer === 'string') return { method: 'typed', name: answer, confirmed: true, image: null };
  if (!isRecord(answer)) return answer === true ? { method: 'typed', name: '', confirmed: true, image: null } : null;
  const method = answer['method'] === 'drawn' || answer['method'] === 'uploaded' ? answer['method'] : 'typed';
  const image = textOf(answer['image']);
  const confirmed = isYes(answer['confirmed']);
  return { method, name: textOf(answer['name']), confirmed, image: image === '' ? null : image };
}

/** The picture of a signature, if it is one that a page may show. */
export function pictureOf(drawing: Drawing, image: string | null): Html | null {
  if (image === null || !PICTURE.test(image)) return null;
  return html`<img class="mark" alt="${drawing.say('signGiven')}" src="${image}">`;
}

interface Block {
  n: number;
  prefix: string;
  legend: Content;
  about: Content;
  describedBy: string | null;
  /** What is confirmed. */
  statement: string;
  given: ShownSignature | null;
  isAsked: boolean;
}

/** Typed, drawn or with a picture: each counts the same, and only drawing needs the script. */
function drawSignature(drawing: Drawing, block: Block): Html {
  const { n, prefix, given } = block;
  const { say } = drawing;
  const part = (name: string) => ({ id: controlId(n, name), name: `${prefix}.${name}`, disabled: !block.isAsked });
  const method = given?.method ?? 'typed';
  const way = (value: ShownSignature['method'], label: string, needsScript = false) => {
    const id = controlId(n, value);
    const input = attributes({ ...part('method'), type: 'radio', id, value, checked: method === value });
    const shown = attributes({ class: `choice sign-${value}`, 'data-script': needsScript, hidden: needsScript });
    return html`<div${shown}><input${input}><label for="${id}">${label}</label></div>`;
  };
  const name = { ...part('name'), id: controlId(n), type: 'text', dir: 'auto', autocomplete: 'name', maxlength: 200 };
  const picture = { ...part('file'), type: 'file', accept: 'image/png,image/jpeg' };
  const confirmed = { ...part('confirmed'), type: 'checkbox', value: 'true', checked: given?.confirmed ?? false };
  return html`<fieldset${attributes({ 'data-signature': prefix, 'aria-describedby': block.describedBy })}>
<legend>${block.legend}</legend>${block.about}
<div class="part"><label for="${name.id}">${say('signName')}</label><input${attributes({ ...name, value: given?.name ?? '' })}></div>
<fieldset class="row"><legend>${say('signMethod')}</legend><div class="choices">
${way('typed', say('signTyped'))}${way('drawn', say('signDrawn'), true)}${way('uploaded', say('signUploaded'))}
</div></fieldset>
<div data-pad hidden></div>
<input${attributes({ ...part('image'), type: 'hidden', value: given?.image ?? '' })}>${pictureOf(drawing, given?.image ?? null)}
<div class="part picture"><label for="${picture.id}">${say('signPicture')}</label><input${attributes(picture)}></div>
<div class="choice statement"><input${attributes(confirmed)}><label for="${confirmed.id}">${block.statement}</label></div>
</fieldset>`;
}

import { NO_LIMIT, type Question } from '../../model/form-model.ts';
import { plainPath } from '../field-name.ts';
import type { ShownFile } from '../view.ts';
import { labelled, onlyControl } from './frame.ts';
import { attributes, type Html, html } from './html.ts';
import type { Drawing, Place } from './place.ts';

type FileQuestion = Extract<Question, { kind: 'file' }>;

/** A question for files: what has come is listed, and may be taken back. */
export function drawFiles(place: Place<FileQuestion>): Html {
  const { question, drawing, files, n } = place;
  const hint = hintOf(drawing, question);
  const given = attributes({
    type: 'file',
    ...onlyControl(place, hint),
    multiple: question.most > 1,
    accept: question.accept.length === 0 ? null : question.accept.join(','),
    'data-upload': true,
  });
  const kept = files.map((file) => drawFile(drawing, file, `question-${n}`));
  const list = html`<ul class="files" data-files="${plainPath(place.path)}">${kept}</ul>`;
  return labelled(place, hint, html`${list}<input${given}>`);
}

function drawFile(drawing: Drawing, { token, name, size }: ShownFile, question: string): Html {
  const remove = drawing.words.sayOfScript('removeFile');
  const given = attributes({
    class: 'small',
    name: '_drop',
    value: token,
    formaction: `${drawing.view.action}#${question}`,
    'aria-label': `${remove}: ${name}`,
  });
  const button = html`<button${given}>${remove}</button>`;
  return html`<li><span class="file-name">${name}</span> <span class="file-size">${sizeInWords(drawing, size)}</span> ${button}</li>`;
}

function hintOf(drawing: Drawing, { accept, most, mostBytes }: FileQuestion): string | null {
  const kinds = [...new Set(accept.map((kind) => kindInWords(drawing, kind)))];
  const hints = [
    kinds.length === 0 ? [] : [drawing.say('fileKinds', kinds.join(', '))],
    mostBytes === null ? [] : [drawing.say('fileSize', sizeInWords(drawing, mostBytes))],
    most === NO_LIMIT ? [] : [drawing.say('mostFiles', most)],
  ].flat();
  return hints.length === 0 ? null : hints.join(' ');
}

function kindInWords({ say }: Drawing, kind: string): string {
  if (kind === 'image/*') return say('pictures');
  if (kind === 'video/*') return say('videos');
  if (kind === 'audio/*') return say('sounds');
  return kind.replace(/^(?:\.|[a-z]+\/)/, '').toUpperCase();
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size as people read it, never more than it is. */
export function sizeInWords({ words }: Drawing, bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const format = new Intl.NumberFormat(words.tag, {
    style: 'unit',
    unit: UNITS[power] as string,
    maximumFractionDigits: 1,
    roundingMode: 'floor',
  });
  return format.format(bytes / 1000 ** power);
}

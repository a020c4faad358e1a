import type { FormVersion } from '../definition/compiled-versions.ts';
import { isPlain } from '../model/compile/settings.ts';
import type { Change, ChangeKind } from './change.ts';

type Compared = Omit<FormVersion, 'version'>;

/** What changed of a form as a whole: its looks, its signature, its files, its languages. */
export function wholeChanges(before: Compared, after: Compared): Change[] {
  return [
    ...markup('HTML', before.form_html, after.form_html),
    ...markup('CSS', before.form_css, after.form_css),
    ...(before.signable === after.signable
      ? []
      : [tell('signature', after.signable ? 'The form is signed now.' : 'The form is no longer signed.')]),
    ...label(before.signature_confirmation_label, after.signature_confirmation_label),
    ...files(before, after),
    ...shape(before, after),
    ...languages(before, after),
  ];
}

function markup(name: string, before: string | null, after: string | null): Change[] {
  if (before === after) return [];
  const happened = before === null ? 'was added' : after === null ? 'was removed' : 'changed';
  return [tell('layout', `The ${name} of the layout ${happened}.`)];
}

function label(before: string | null, after: string | null): Change[] {
  if (before === after) return [];
  const words =
    after === null ? 'Nothing is confirmed by signing any more.' : `What is confirmed by signing reads "${after}" now.`;
  return [{ ...tell('signature', words), before, after }];
}

function files({ model: before }: Compared, { model: after }: Compared): Change[] {
  if (before.takesFiles === after.takesFiles) return [];
  return [tell('whole', after.takesFiles ? 'The form takes files now.' : 'The form takes no files any more.')];
}

function shape({ model: before }: Compared, { model: after }: Compared): Change[] {
  if ((before.shape === 'unknown') === (after.shape === 'unknown')) return [];
  return [
    tell(
      'whole',
      after.shape === 'unknown' ? 'The form takes any answers now.' : 'The form asks questions of its own now.',
    ),
  ];
}

function languages(before: Compared, after: Compared): Change[] {
  return ['language', 'translations'].every((key) => told(before, key) === told(after, key))
    ? []
    : [tell('whole', 'The languages or translations of the form changed.')];
}

function told({ form_json: json }: Compared, key: string): string {
  return JSON.stringify(isPlain(json) && Object.hasOwn(json, key) ? json[key] : null);
}

function tell(change: ChangeKind, sentence: string): Change {
  return { change, item: null, label: null, sentence, before: null, after: null };
}

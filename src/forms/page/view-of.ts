import type { FormVersion } from '../definition/compiled-versions.ts';
import { isResumable } from '../drafts/draft.ts';
import { isSealedForm } from '../end-to-end/check-sent.ts';
import { asOnePage } from '../end-to-end/one-page.ts';
import { whatWasAsked } from '../model/asked.ts';
import type { FormModel } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import type { Today } from '../model/today.ts';
import { languagesOf, translateForm } from '../model/translate.ts';
import type { Upload } from '../uploads/uploads.ts';
import type { PageState } from './state.ts';
import { answersElsewhere, stepsOf } from './steps.ts';
import type { Shown } from './turn.ts';
import type { PageView, ShownFile } from './view.ts';
import type { Carried, Visit } from './visit.ts';
import { wordsOf } from './words/words-of.ts';

/** All that a step of a form is shown from. */
export interface Showing {
  visit: Visit;
  version: FormVersion;
  carried: Carried;
  /** The files that have come so far. */
  uploads: readonly Upload[];
  today: Today;
}

/** Makes what a step shows. */
export function viewOf({ visit, version, carried, uploads, today }: Showing, shown: Shown): PageView {
  const { form, action } = visit;
  const { problems, notes } = shown;
  const state = isSealedForm(form) ? { ...shown.state, step: 0 } : shown.state;
  const told = { model: version.model, ...form.heading, label: null };
  const translated = translateForm(told, version.form_json, state.language);
  const model = isSealedForm(form) ? asOnePage(translated.model) : translated.model;
  const steps = stepsOf(model, state.answers, today);
  const step = Math.max(0, steps.indexOf(state.step));
  const isLast = step === steps.length - 1;
  const signs = isSignedAsWhole(version) && isLast;
  return {
    formId: form.id,
    action,
    title: translated.title,
    description: translated.description,
    version: version.version,
    model,
    layout: { html: version.form_html, css: version.form_css },
    signing: signs ? { label: consentShown(version, state.language), given: state.signature } : null,
    language: state.language,
    languages: languagesOf(version.form_json),
    step,
    steps: steps.length,
    answers: state.answers,
    isAsked: whatWasAsked(model, state.answers, today),
    problems,
    notes: notes.map((note) => wordsOf(state.language).say(note)),
    files: filesShown(state, uploads),
    controls: {
      ...stateControls(model, state, today),
      ...carriedControls(carried),
      ...(signs ? {} : signatureControls(state)),
    },
    resumable: isResumable(form),
    proofOfWork: form.page.proofOfWork !== 'off',
    sealedTo: form.page.sealedTo,
    today,
  };
}

/** Whether there is a signature below the form: where it is to be signed, and no question asks for that. */
export function isSignedAsWhole({ signable, model }: FormVersion): boolean {
  return signable && !questionsOf(model).some(({ kind }) => kind === 'signature');
}

/** The text that is confirmed by signing as a page shows it; a question has the words of the page itself. */
export function consentShown(version: FormVersion, language: string): string {
  const said = wordsOf(language).say('signConfirm');
  if (!isSignedAsWhole(version)) return said;
  const told = { model: version.model, title: '', description: null, label: version.signature_confirmation_label };
  return translateForm(told, version.form_json, language).label ?? said;
}

/** The state of a page as the controls that carry it to the next one, beside those of the questions it shows. */
export function stateControls(model: FormModel, state: PageState, today: Today): Record<string, string> {
  const { version, language, step, answers, files } = state;
  return {
    _version: String(version),
    _language: language,
    _step: String(step),
    _answers: JSON.stringify(answersElsewhere(model, model.pages[step], answers, today)),
    _files: JSON.stringify(files),
  };
}

/** What travels with every page whatever it shows. */
export function carriedControls({ once, shown, pass, draft }: Carried): Record<string, string> {
  return {
    _once: once,
    _shown: shown,
    ...(pass === null ? {} : { _pass: pass }),
    ...(draft === null ? {} : { _draft: draft }),
  };
}

/** A signature that was given on the last step, while another is shown. */
export function signatureControls({ signature }: PageState): Record<string, string> {
  if (signature === null) return {};
  return {
    '_signature.name': signature.name,
    '_signature.method': signature.method,
    ...(signature.confirmed ? { '_signature.confirmed': 'true' } : {}),
    ...(signature.image === null ? {} : { '_signature.image': signature.image }),
  };
}

function filesShown({ files }: PageState, uploads: readonly Upload[]): Record<string, ShownFile[]> {
  const known = new Map(uploads.map(({ token, file }) => [token, { token, name: file.name, size: file.size }]));
  const lists = Object.entries(files).map(([path, tokens]) => {
    return [path, tokens.flatMap((token) => known.get(token) ?? [])] as const;
  });
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0));
}

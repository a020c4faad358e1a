import type { FormVersion } from '../definition/compiled-versions.ts';
import type { Heading } from '../definition/heading.ts';
import { whatWasAsked } from '../model/asked.ts';
import type { Today } from '../model/today.ts';
import { languagesOf, translateForm } from '../model/translate.ts';
import { renderForm } from './render/form-page.ts';
import type { PageState } from './state.ts';
import type { PageView } from './view.ts';
import { carriedControls, consentShown, isSignedAsWhole, stateControls } from './view-of.ts';
import { pickLanguage } from './words/pick-language.ts';

/** Stands where a page that can be sent has what makes it this one page and no other. */
const NONE = 'preview';

interface Wanted {
  language: string | undefined;
  /** The place of the page among all pages of the form, asked or not. */
  page: number;
  today: Today;
  script: string | null;
}

/** A page of a form just as patients would see it, though nobody can send it anywhere. */
export function renderPreview(version: FormVersion, heading: Heading, wanted: Wanted): string {
  return renderForm(viewOfPreview(version, heading, wanted), NONE, { script: wanted.script });
}

function viewOfPreview(version: FormVersion, heading: Heading, { language: wish, page, today }: Wanted): PageView {
  const language = pickLanguage(languagesOf(version.form_json), undefined, wish);
  const told = { model: version.model, ...heading, label: null };
  const { model, title, description } = translateForm(told, version.form_json, language);
  const steps = Math.max(1, model.pages.length);
  const step = Math.min(page, steps - 1);
  const state: PageState = { version: version.version, language, step, answers: {}, files: {}, signature: null };
  const isAsked = whatWasAsked(model, {}, today);
  const signs = isSignedAsWhole(version) && step === steps - 1;
  return {
    formId: NONE,
    action: '',
    title,
    description,
    version: version.version,
    model,
    layout: { html: version.form_html, css: version.form_css },
    signing: signs ? { label: consentShown(version, language), given: null } : null,
    language,
    // Whoever looks at a preview chooses its language and its page beside it.
    languages: [],
    step,
    steps,
    answers: {},
    isAsked: (item) => !('kind' in item) || isAsked(item),
    problems: {},
    notes: [],
    files: {},
    controls: {
      ...stateControls(model, state, today),
      ...carriedControls({ once: NONE, shown: NONE, pass: null, draft: null }),
    },
    resumable: false,
    proofOfWork: false,
    sealedTo: [],
    today,
  };
}

import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { FormVersion } from '../definition/compiled-versions.ts';
import { stampShown } from '../gate/page-age.ts';
import type { Answers } from '../model/form-model.ts';
import { todayAt } from '../model/today.ts';
import { languagesOf } from '../model/translate.ts';
import { firstPage } from './first-page.ts';
import { renderForm } from './render/form-page.ts';
import { sendHtml } from './send-html.ts';
import type { PageState } from './state.ts';
import { stepsOf } from './steps.ts';
import type { Shown } from './turn.ts';
import { viewOf } from './view-of.ts';
import type { Carried, PageDeps, Visit } from './visit.ts';
import { pickLanguage } from './words/pick-language.ts';

/** Shows a step of a form: the one way in which any of them is shown. */
export async function showForm(
  deps: PageDeps,
  visit: Visit,
  { version, carried, shown, status }: { version: FormVersion; carried: Carried; shown: Shown; status: number },
): Promise<FastifyReply> {
  const { form, reply, assets } = visit;
  const script = assets?.script ?? null;
  const uploads = await deps.uploads.find(form, Object.values(shown.state.files).flat());
  const today = todayAt(deps.clock.now());
  const draw = (nonce: string, by: Carried) =>
    renderForm(viewOf({ visit, version, carried: by, uploads, today }, shown), nonce, { script });
  return sendHtml(reply.code(status), form.page.frameOrigins, (nonce) => {
    if (!isUntouched(carried, shown)) return draw(nonce, carried);
    const madeOf = JSON.stringify([visit.action, form.heading, form.page, shown.state, today, script]);
    return firstPage(version, madeOf, { nonce, ...carried }, (marks) => draw(marks.nonce, { ...carried, ...marks }));
  });
}

/** Whether a page shows nothing that came from its visitor. */
function isUntouched({ pass, draft }: Carried, { state, problems, notes }: Shown): boolean {
  const said = [state.answers, state.files, problems, notes].some((each) => Object.keys(each).length > 0);
  return pass === null && draft === null && state.signature === null && !said;
}

/** How a form begins for a visitor, with what is answered already. */
export function firstState(deps: PageDeps, { request }: Visit, version: FormVersion, answers: Answers): PageState {
  const { language: wanted } = request.query as { language?: unknown };
  const asked = typeof wanted === 'string' ? wanted : undefined;
  const language = pickLanguage(languagesOf(version.form_json), request.headers['accept-language'], asked);
  const [step = 0] = stepsOf(version.model, answers, todayAt(deps.clock.now()));
  return { version: version.version, language, step, answers, files: {}, signature: null };
}

/** What a page carries that is shown for the first time. */
export function firstCarried(deps: PageDeps, { form }: Visit, pass: string | null): Carried {
  return { once: randomUUID(), shown: stampShown(deps, form), pass, draft: null };
}

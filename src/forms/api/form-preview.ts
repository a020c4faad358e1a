import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { compileVersion } from '../definition/compiled-versions.ts';
import { BLANK_FORM } from '../definition/create.ts';
import { NewFormBody, readFormChange } from '../definition/read-form.ts';
import { todayAt } from '../model/today.ts';
import { loadPageAssets } from '../page/assets.ts';
import { renderPreview } from '../page/preview.ts';
import { checkForm } from '../readiness/check-form.ts';
import { Findings } from './form-check.ts';
import type { FormsDeps } from './forms.ts';

const BODY_LIMIT = 4 * 2 ** 20;
const MOST_PAGES = 5_000;

const { form_json, description, form_html, form_css, recipient, signable, signature_confirmation_label } =
  NewFormBody.properties;

/** How a form would look, before it is kept. */
export function formPreviewEndpoints({ clock }: Pick<FormsDeps, 'clock'>): Endpoint[] {
  let script: Promise<string | null> | undefined;
  const findScript = () => {
    script ??= loadPageAssets().then(
      (assets) => assets.script,
      () => null,
    );
    return script;
  };
  return [
    endpoint({
      method: 'POST',
      path: '/api/forms/preview',
      operation: 'previewForm',
      summary: 'A page of a form as patients would see it, and what to mend in it; nothing is kept',
      // Nothing is changed by it, though it takes a body.
      access: { scope: 'forms', role: 'reader' },
      audit: null,
      body: Type.Object({
        form_json,
        description,
        form_html,
        form_css,
        recipient,
        signable,
        signature_confirmation_label,
        title: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])),
        language: Type.Optional(Type.String({ maxLength: 35, description: 'One of the languages of the form' })),
        page: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_PAGES, description: 'Which page, from 0' })),
      }),
      bodyLimit: BODY_LIMIT,
      reply: Type.Object({ html: Type.String(), problems: Findings }),
      async handle({ body: { title, recipient: to, language, page = 0, ...definition } }) {
        // Of the address only counts that there is one: it may be half typed.
        const kept = { title: title ?? '', recipient: to || null };
        const form = { ...BLANK_FORM, ...readFormChange(definition).settings, ...kept };
        const today = todayAt(clock.now());
        const wanted = { language, page, today, script: await findScript() };
        return { html: renderPreview(compileVersion(form), form, wanted), problems: checkForm(form) };
      },
    }),
  ];
}

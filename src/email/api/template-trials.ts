import { type Static, Type } from 'typebox';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { readVariables } from '../submission/template-choice.ts';
import { type RenderStored, renderText } from '../templates/apply.ts';
import { checkText } from '../templates/read-template.ts';
import { findTemplate, listVersions, type TemplateDeps, type TemplateText } from '../templates/store.ts';
import { variablesIn } from '../templates/variables-in.ts';
import { readId } from './dynamic-templates.ts';
import { templateErrorBody } from './errors.ts';

interface Deps extends TemplateDeps {
  renderStored: RenderStored;
}

const Id = Type.Object({ id: Type.String() });
const Moment = Type.String({ format: 'date-time' });

/** A text that is not stored yet, to be rendered in place of the one that is. */
const Draft = Type.Partial(
  Type.Object({
    body: Type.String(),
    subject: Type.Union([Type.String(), Type.Null()]),
    allow_raw_html: Type.Boolean(),
  }),
);

const shared = { access: { scope: 'email' }, errorBody: templateErrorBody } as const;

/** What a template said before, and what it would say. */
export function templateTrialEndpoints({ db, requireOwn, renderStored }: Deps): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/dynamic_templates/:id/versions',
      operation: 'listTemplateVersions',
      summary: 'Every version of a template, the newest first',
      audit: null,
      params: Id,
      reply: Type.Object({
        data: Type.Array(
          Type.Object({
            version: Type.Integer(),
            subject: Type.Union([Type.String(), Type.Null()]),
            body: Type.String(),
            strict: Type.Boolean(),
            allow_raw_html: Type.Boolean(),
            created_at: Moment,
          }),
        ),
      }),
      handle: ({ act, params }) =>
        db.tenant([act.customerId], async (tx) => {
          const { id } = await findTemplate(tx, requireOwn, act.customerId, readId(params.id));
          const versions = await listVersions(tx, act.customerId, id);
          const data = versions.map(({ raw_html: rawHtml, created_at: createdAt, ...rest }) => ({
            ...rest,
            allow_raw_html: rawHtml,
            created_at: createdAt.toISOString(),
          }));
          return { data };
        }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/dynamic_templates/:id/preview',
      operation: 'previewTemplate',
      summary: 'Render a template, or a text that may become its next version, with sample values; nothing is sent',
      audit: null,
      params: Id,
      body: Type.Object({ template_variables: Type.Optional(Type.Unknown()), ...Draft.properties }),
      access: { scope: 'email', role: 'reader' },
      reply: Type.Object({
        subject: Type.Union([Type.String(), Type.Null()]),
        html: Type.String(),
        missing: Type.Array(Type.String()),
        variables: Type.Array(Type.String(), { description: 'every variable that the text uses' }),
      }),
      handle: ({ act, params, body: { template_variables: given, ...draft } }) =>
        db.tenant([act.customerId], async (tx) => {
          const stored = await findTemplate(tx, requireOwn, act.customerId, readId(params.id));
          const values = readVariables('template_variables', given);
          if (Object.keys(draft).length === 0) {
            return { ...renderStored(stored, values), variables: variablesIn(stored) };
          }
          const text = { ...stored, ...readDraft(draft) };
          checkText(text);
          return { ...renderText(text, values), variables: variablesIn(text) };
        }),
    }),
  ];
}

function readDraft({ body, subject, allow_raw_html: rawHtml }: Static<typeof Draft>): Partial<TemplateText> {
  return {
    ...(body === undefined ? {} : { body }),
    ...(subject === undefined ? {} : { subject: subject || null }),
    ...(rawHtml === undefined ? {} : { rawHtml }),
  };
}

import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { readVariables } from '../submission/template-choice.ts';
import type { RenderStored } from '../templates/apply.ts';
import { findTemplate, listVersions, type TemplateDeps } from '../templates/store.ts';
import { readId } from './dynamic-templates.ts';
import { templateErrorBody } from './errors.ts';

interface Deps extends TemplateDeps {
  renderStored: RenderStored;
}

const Id = Type.Object({ id: Type.String() });
const Moment = Type.String({ format: 'date-time' });

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
      summary: 'Render a template with sample values, without sending anything',
      audit: null,
      params: Id,
      body: Type.Object({ template_variables: Type.Optional(Type.Unknown()) }),
      reply: Type.Object({
        subject: Type.Union([Type.String(), Type.Null()]),
        html: Type.String(),
        missing: Type.Array(Type.String()),
      }),
      handle: ({ act, params, body }) =>
        db.tenant([act.customerId], async (tx) => {
          const template = await findTemplate(tx, requireOwn, act.customerId, readId(params.id));
          return renderStored(template, readVariables('template_variables', body.template_variables));
        }),
    }),
  ];
}

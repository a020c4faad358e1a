import { type Static, Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { Flag, readStrictFlag } from '../../platform/http/body/flag.ts';
import { isGiven } from '../../platform/http/body/given.ts';
import { IfUpdatedAt, refuseOvertaken } from '../../platform/http/body/if-updated-at.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import { readTemplateId } from '../submission/template-choice.ts';
import { checkText, readName } from '../templates/read-template.ts';
import {
  createTemplate,
  deleteTemplate,
  findTemplate,
  listTemplates,
  lockTemplate,
  type StoredTemplate,
  type TemplateDeps,
  type TemplateText,
  updateTemplate,
} from '../templates/store.ts';
import { variablesIn } from '../templates/variables-in.ts';
import { templateErrorBody } from './errors.ts';

interface Deps extends TemplateDeps {
  idempotency: Idempotency;
}

const Text = Type.Union([Type.String(), Type.Null()]);
const Parts = Type.Partial(
  Type.Object({
    name: Text,
    body: Text,
    subject: Text,
    strict: Flag,
    allow_raw_html: Flag,
  }),
);
const Wish = Type.Object({ ...Parts.properties, data: Type.Optional(Parts) });
const Change = Type.Object({ ...Wish.properties, ...IfUpdatedAt });
const Id = Type.Object({ id: Type.String() });
const Moment = Type.String({ format: 'date-time' });

const Listed = Type.Object({ id: Type.Integer(), name: Type.String(), api_customer_id: Type.Integer() });
const Whole = Type.Object({
  ...Listed.properties,
  body: Type.String(),
  subject: Type.Union([Type.String(), Type.Null()]),
  version: Type.Integer(),
  strict: Type.Boolean(),
  allow_raw_html: Type.Boolean(),
  variables: Type.Array(Type.String()),
  created_at: Moment,
  updated_at: Moment,
  metadata: Type.Object({}),
});
const Written = Type.Object({
  id: Type.Integer(),
  message: Type.String(),
  params: Type.Object({
    name: Type.String(),
    body: Type.Object({ size: Type.Integer(), version: Type.Integer() }),
  }),
});

const Changed = Type.Object({ ...Written.properties, updated_at: Moment });

const shared = { access: { scope: 'email' }, errorBody: templateErrorBody } as const;

/** Dynamic templates: making, reading and changing them. */
export function dynamicTemplateEndpoints(deps: Deps): Endpoint[] {
  const { db, clock, idempotency } = deps;
  const inTenant = <T>({ customerId }: Act, work: (tx: Tx) => Promise<T>) => db.tenant([customerId], work);
  const found = (tx: Tx, act: Act, id: string) => findTemplate(tx, deps.requireOwn, act.customerId, readId(id));
  const change = async (act: Act, id: string, wish: Static<typeof Change>) =>
    inTenant(act, async (tx) => {
      await lockTemplate(tx, act.customerId, readId(id));
      const before = await found(tx, act, id);
      refuseOvertaken(wish, before.updatedAt);
      const parts = readParts(wish);
      checkText({ ...before, ...parts });
      const after = await updateTemplate(tx, { clock, act }, before, parts);
      return { ...written(after, 'updated'), updated_at: after.updatedAt.toISOString() };
    });
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/dynamic_templates',
      operation: 'listTemplates',
      summary: 'Every template',
      audit: null,
      reply: Type.Array(Listed),
      handle: ({ act }) =>
        inTenant(act, async (tx) =>
          (await listTemplates(tx, act.customerId)).map((each) => ({ ...each, api_customer_id: act.customerId })),
        ),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/dynamic_templates',
      operation: 'createTemplate',
      summary: 'Make a template; JSON, or multipart with data[name] and data[body]',
      audit: 'template.created',
      body: Wish,
      bodyForms: ['multipart', 'urlencoded'],
      idempotent: true,
      status: 201,
      reply: Written,
      handle({ act, body, idempotency: claim }) {
        const { name, body: text, ...rest } = readParts(body);
        if (name === undefined) throw invalidField('name', 'is required');
        if (text === undefined) throw invalidField('body', 'is required');
        const wanted = { subject: null, strict: false, rawHtml: false, ...rest, body: text };
        checkText(wanted);
        return inTenant(act, async (tx) => {
          const id = await createTemplate(tx, { clock, act }, { name, ...wanted });
          const reply = written({ id, name, body: text, version: 1 }, 'created');
          await idempotency.keepWith(tx, claim, { status: 201, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/dynamic_templates/:id',
      operation: 'readTemplate',
      summary: 'One template and the variables that it uses',
      audit: null,
      params: Id,
      reply: Whole,
      handle: ({ act, params }) => inTenant(act, async (tx) => describe(act, await found(tx, act, params.id))),
    }),
    ...(['PATCH', 'PUT'] as const).map((method) =>
      endpoint({
        ...shared,
        method,
        path: '/dynamic_templates/:id',
        operation: method === 'PATCH' ? 'updateTemplate' : 'replaceTemplate',
        summary: 'Change a template; another text is another version',
        audit: 'template.updated',
        params: Id,
        body: Change,
        bodyForms: ['multipart', 'urlencoded'],
        reply: Changed,
        handle: ({ act, params, body }) => change(act, params.id, body),
      }),
    ),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/dynamic_templates/:id',
      operation: 'deleteTemplate',
      summary: 'Take a template away',
      audit: 'template.deleted',
      params: Id,
      reply: Type.Object({ message: Type.String() }),
      handle: ({ act, params }) =>
        inTenant(act, async (tx) => {
          await lockTemplate(tx, act.customerId, readId(params.id));
          const { id, name } = await found(tx, act, params.id);
          await deleteTemplate(tx, { clock, act }, id);
          return { message: `Template ${name} deleted!` };
        }),
    }),
  ];
}

/** The id in a path; what cannot be one names nothing. */
export function readId(text: string): number {
  const wanted = readTemplateId(text);
  if (!('id' in wanted)) throw new AppError('not_found', 'No such template');
  return wanted.id;
}

/** What a caller says of a template, at the top level or under data. Only a subject is taken away by leaving it blank. */
function readParts({ data, ...top }: Static<typeof Wish>): Partial<TemplateText & { name: string }> {
  const given = { ...top, ...data };
  const [strict, rawHtml] = [
    readStrictFlag('strict', given.strict),
    readStrictFlag('allow_raw_html', given.allow_raw_html),
  ];
  return {
    ...(isGiven(given.name) ? { name: readName(given.name) } : {}),
    ...(isGiven(given.body) ? { body: given.body } : {}),
    ...(given.subject === undefined ? {} : { subject: given.subject || null }),
    ...(strict === null ? {} : { strict }),
    ...(rawHtml === null ? {} : { rawHtml }),
  };
}

function describe(act: Act, template: StoredTemplate): Static<typeof Whole> {
  const { id, name, version, subject, body, strict, rawHtml, createdAt, updatedAt } = template;
  return {
    id,
    name,
    api_customer_id: act.customerId,
    body,
    subject,
    version,
    strict,
    allow_raw_html: rawHtml,
    variables: variablesIn(template),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    metadata: {},
  };
}

function written(
  { id, name, body, version }: Pick<StoredTemplate, 'id' | 'name' | 'body' | 'version'>,
  done: 'created' | 'updated',
): Static<typeof Written> {
  const params = { name, body: { size: Buffer.byteLength(body), version } };
  return { id, message: `Template ${name} ${done}!`, params };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '../../src/platform/db/pool.ts';
import { startApp } from '../support/app.ts';
import { asOwner, createOwner } from '../support/owner.ts';
import { traces } from '../support/traces.ts';

/** What docs/security.md says is plain, and what customers and operators call things of theirs. */
const PLAIN = names(`
  agreements.signer
  agreements.version
  audit_log.details
  campaign_mailing_sends.from_name
  campaign_mailing_sends.sender_email
  campaign_mailing_sends.subject
  campaign_mailings.subject
  consent_texts.text
  custom_field_types.name
  dkim_keys.domain
  domain_paces.domain
  drip_campaigns.from_name
  drip_campaigns.name
  drip_versions.graph
  dynamic_templates.name
  form_pages.frame_origins
  form_texts.text
  form_versions.form_json
  forms.description
  forms.form_json
  forms.title
  import_changes.after
  import_changes.before
  imports.settings
  mailing_recipients.domain
  mailing_versions.from_address
  mailing_versions.html_part
  mailing_versions.prepared
  message_reports.remote_mta
  messages.from_address
  retention_settings.audit_reason
  segments.filters
  segments.name
  sending_days.domain
  sending_domains.domain
  submission_signers.role
  subscribers.email
  subscribers.fields
  subscribers.first_name
  subscribers.last_name
  subscription_lists.name
  template_versions.body
  template_versions.subject
  tls_exceptions.domain
  users.email
`);

/** What createOwner writes into tables itself, and as it is. */
const PUT_THERE = names(`
  audit_cuts.at
  audit_cuts.hash
  audit_cuts.signature
  audit_signed_heads.at
  audit_signed_heads.hash
  audit_signed_heads.signature
  audit_verifications.fault_reason
  evidence_batches.leaves
  form_draft_codes.code_index
  form_drafts.sealed
  form_fillings.content
  form_fillings.filling
  key_destructions.destroyed_by
  pickup_codes.code_index
  pickups.sealed
  submission_signatures.sealed
  submission_signer_codes.code_index
  submission_signers.sealed
  user_passkeys.credential_id
  user_passkeys.name
  user_passkeys.public_key
  user_recovery_codes.code_index
  user_sessions.agent
  user_sessions.csrf
  user_sessions.token_hash
`);

function names(list: string): string[] {
  return list
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Every column of every table, side jobs included; a partition's are those of its table. */
async function columnsByTable(client: Client): Promise<[string, { name: string; text: string }[]][]> {
  const { rows } = await client.query(
    `select c.oid::regclass::text as "table", a.attname as name,
       case a.atttypid when 'bytea'::regtype then format('encode(%I, ''escape'')', a.attname)
         else format('%I::text', a.attname) end as text
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
       and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  return [...Map.groupBy(rows, (row) => row.table as string)];
}

/** Where a marker can be read. */
async function columnsWith(client: Client, marker: string): Promise<string[]> {
  const found: string[] = [];
  for (const [table, columns] of await columnsByTable(client)) {
    const looks = columns.map(({ text }, place) => `bool_or(${text} like any($1)) as c${place}`);
    const { rows } = await client.query(`select ${looks.join(', ')} from ${table}`, [
      traces(marker).map((trace) => `%${trace}%`),
    ]);
    found.push(...columns.filter((_, place) => rows[0][`c${place}`] === true).map(({ name }) => `${table}.${name}`));
  }
  return found.toSorted();
}

test('what is said in confidence stands in no column of the database that is not known to be plain', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const { mark } = await createOwner(app);
  const found = await asOwner(app, (client) => columnsWith(client, mark));
  assert.deepEqual(found, [...PLAIN, ...PUT_THERE].toSorted());
});

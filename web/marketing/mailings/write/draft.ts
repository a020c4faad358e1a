import type { Block } from '../../../../src/marketing/mailings/content/blocks.ts';
import type { Body, Reply } from '../../../api/client.ts';
import { blocksOf, type Item, itemsOf } from '../blocks/items.ts';

export type Mailing = Reply<'readCampaignMailing'>['data'];

/** In which language a mailing is written here. */
export type Language = 'blocks' | 'html' | 'mjml';

/** A mailing as it stands in the editor. */
export interface Draft {
  name: string;
  subject: string;
  preheader: string;
  fromName: string;
  fromAddress: string;
  replyTo: string;
  /** As the product calls it; other editors give HTML under names of their own. */
  templateType: string;
  language: Language;
  items: readonly Item[];
  /** What is written where it is not blocks. */
  source: string;
}

/** Reads a mailing into the editor. */
export function draftOf({ attributes }: Mailing): Draft {
  const type = attributes.template_type;
  const language = type === 'blocks' || type === 'mjml' ? type : 'html';
  const from = /^(.*?)\s*<([^<>]+)>$/.exec(attributes.from ?? '');
  return {
    name: attributes.subject,
    subject: attributes.default_subject ?? '',
    preheader: attributes.preheader ?? '',
    fromName: from?.[1]?.replace(/^"(.*)"$/, '$1') ?? '',
    fromAddress: from?.[2] ?? attributes.from ?? '',
    replyTo: attributes.reply_to ?? '',
    templateType: type,
    language,
    items: language === 'blocks' ? itemsOf((attributes.blocks ?? []) as Block[]) : [],
    source: (language === 'mjml' ? attributes.mjml_part : attributes.html_part) ?? '',
  };
}

/** The mailing that a draft makes, as the product takes it. */
export function mailingOf(draft: Draft): Body<'previewCampaignMailing'>['campaign_mailing'] {
  const { language, items, source } = draft;
  return {
    subject: draft.name,
    default_subject: draft.subject || null,
    preheader: draft.preheader || null,
    from: mailbox(draft.fromName, draft.fromAddress),
    reply_to: draft.replyTo || null,
    template_type: draft.templateType,
    ...(language === 'blocks' ? { blocks: items.length === 0 ? null : blocksOf(items) } : {}),
    ...(language === 'html' ? { html_part: source || null } : {}),
    ...(language === 'mjml' ? { mjml_part: source || null } : {}),
  };
}

function mailbox(name: string, address: string): string | null {
  if (address.trim() === '') return null;
  if (name.trim() === '') return address.trim();
  const quoted = /^[\w .'-]+$/.test(name.trim()) ? name.trim() : `"${name.trim().replace(/["\\]/g, '')}"`;
  return `${quoted} <${address.trim()}>`;
}

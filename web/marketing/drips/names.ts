import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { useMay, useSession } from '../../session/session.ts';
import { useAllForms } from './all-forms.ts';
import type { Names } from './model/in-words.ts';

export interface Named {
  id: string;
  name: string;
}

/** Everything of the customer that a step may name. */
export interface Nameable {
  mailings: readonly Named[];
  lists: readonly (Named & { count: number })[];
  forms: readonly Named[];
  segments: readonly Named[];
  fields: readonly (Named & { kind: string; isHealth: boolean })[];
}

/** What steps may name, and what it is called; empty until it has come. */
export function useNameable(): Nameable & { names: Omit<Names, 'step'> } {
  const mailings = useRead('listCampaignMailings', { query: { pagination: 'false', order_by: 'updated_at' } });
  const lists = useRead('listSubscriptionLists', { query: { order_by: 'name', order: 'asc' } });
  const forms = useAllForms(useSession()?.customer?.id);
  const segments = useRead(
    'listDynamicLists',
    { query: { order_by: 'name', order: 'asc' } },
    { enabled: useMay('editor') },
  );
  const fields = useRead('listCustomFieldTypes', {});
  return useMemo(() => {
    const nameable: Nameable = {
      mailings: (mailings.data?.data ?? []).map(({ id, attributes }) => ({ id, name: attributes.subject })),
      lists: (lists.data?.data ?? []).map(({ id, attributes }) => ({
        id,
        name: attributes.name,
        count: attributes.subscriber_count,
      })),
      forms: (forms ?? []).map(({ id, title }) => ({ id, name: title })),
      segments: (segments.data?.data ?? []).map(({ id, attributes }) => ({ id, name: attributes.name })),
      fields: (fields.data?.data ?? []).map(({ id, attributes }) => ({
        id,
        name: attributes.name,
        kind: attributes.kind,
        isHealth: attributes.class === 'phi',
      })),
    };
    const find = (all: readonly Named[]) => {
      const byId = new Map(all.map(({ id, name }) => [id, name]));
      return (id: string) => byId.get(id) ?? null;
    };
    const names = {
      mailing: find(nameable.mailings),
      list: find(nameable.lists),
      form: find(nameable.forms),
      segment: find(nameable.segments),
    };
    return { ...nameable, names };
  }, [mailings.data, lists.data, forms, segments.data, fields.data]);
}

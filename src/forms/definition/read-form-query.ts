import { invalidField } from '../../platform/errors.ts';
import { refuseUnstorable } from '../../platform/http/body/json-body.ts';
import { isUuid } from '../../platform/ids.ts';

export type FormOrder = 'created_at' | 'title' | 'updated_at' | 'submission_count';

export interface FormQuery {
  customerId: number;
  formId: string | null;
  /** A form_id that no form can have, or a text that none holds: the list is empty. */
  impossible: boolean;
  search: string | null;
  archived: boolean | null;
  active: boolean | null;
  orderBy: FormOrder;
  order: 'asc' | 'desc';
  page: number;
  items: number;
}

const DEFAULT_ITEMS = 50;
const MOST_ITEMS = 100;
const LARGEST_INT = 2 ** 31 - 1;
/** Stands between title and description where they are searched. */
const PARTING = '\x01';
const ORDERS: FormOrder[] = ['created_at', 'title', 'updated_at', 'submission_count'];

/** Parameters as they are sent; one may be repeated. */
export type Wire = Partial<Record<string, string | string[]>>;

/** Reads the list's parameters: only customer_id can be wrong, everything else falls back. */
export function readFormQuery(wire: Wire): FormQuery {
  const formId = one(wire.form_id) || null;
  const search = one(wire.search) || null;
  if (search !== null) refuseUnstorable(search);
  const orderBy = one(wire.order_by) as FormOrder;
  return {
    customerId: readCustomerId(wire.customer_id),
    formId: formId !== null && isUuid(formId) ? formId : null,
    impossible: (formId !== null && !isUuid(formId)) || search?.includes(PARTING) === true,
    search,
    archived: flag(one(wire.archived)),
    active: flag(one(wire.active)),
    orderBy: ORDERS.includes(orderBy) ? orderBy : 'created_at',
    order: one(wire.order) === 'asc' ? 'asc' : 'desc',
    ...readPage(wire),
  };
}

/** Which page is wanted and how long it is. */
export function readPage(wire: Wire): { page: number; items: number } {
  return {
    page: positive(one(wire.page), 1),
    items: Math.min(positive(one(wire.items), DEFAULT_ITEMS), MOST_ITEMS),
  };
}

/** The customer that a caller names: any integer, as one that no customer has is refused like one of another. */
export function readCustomerId(wire: string | string[] | undefined): number {
  const text = one(wire);
  if (text === undefined || !/^-?\d+$/.test(text)) {
    throw invalidField('customer_id', text === undefined ? 'is required' : 'takes an integer');
  }
  return Number(text);
}

/** The last value counts where a parameter is repeated. */
export function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.at(-1) : value;
}

function flag(value: string | undefined): boolean | null {
  if (value === 'true') return true;
  return value === 'false' ? false : null;
}

function positive(value: string | undefined, fallback: number): number {
  const number = Math.min(Number(value), LARGEST_INT);
  return value !== undefined && /^\d+$/.test(value) && number >= 1 ? number : fallback;
}

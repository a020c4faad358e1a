import { Badge } from '../../ui/badge.tsx';
import { words } from '../../words/forms/list.ts';

/** Whether people can fill a form in, in a word. */
export function FormState({ form }: { form: { active: boolean; archived: boolean } }) {
  if (form.archived) return <Badge>{words.archived}</Badge>;
  return form.active ? <Badge tone="good">{words.published}</Badge> : <Badge tone="warn">{words.unpublished}</Badge>;
}

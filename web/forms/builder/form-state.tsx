import { Badge } from '../../ui/badge.tsx';
import { words } from '../../words/builder.ts';
import { useBuilder } from './builder-context.ts';

/** Whether the form is public, and whether what is seen here is stored. */
export function FormState({ isDirty }: { isDirty: boolean }) {
  const { form } = useBuilder();
  return (
    <span className="flex flex-wrap items-center gap-2 text-sm">
      {form.active ? <Badge tone="good">{words.published}</Badge> : <Badge>{words.draft}</Badge>}
      {form.archived && <Badge tone="warn">{words.archived}</Badge>}
      <span>{isDirty ? words.unsaved : words.allSaved}</span>
    </span>
  );
}

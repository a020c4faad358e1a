import { ChevronLeft, ChevronRight } from 'lucide-react';
import { ButtonLink } from '../../../ui/button.tsx';
import { words } from '../../../words/forms/submission.ts';
import { besideOf } from '../walk.ts';

/** The ways to what stood before and after a submission in its list; none where somebody came by its address alone. */
export function Beside({ formId, id }: { formId: string; id: string }) {
  const { previous, next } = besideOf(formId, id);
  return (
    <>
      {previous !== undefined && (
        <ButtonLink icon={ChevronLeft} to="/forms/$id/submissions/$sid" params={{ id: formId, sid: previous }}>
          {words.previous}
        </ButtonLink>
      )}
      {next !== undefined && (
        <ButtonLink icon={ChevronRight} to="/forms/$id/submissions/$sid" params={{ id: formId, sid: next }}>
          {words.next}
        </ButtonLink>
      )}
    </>
  );
}

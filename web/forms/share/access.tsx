import { useRead } from '../../api/query.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/forms/share.ts';
import { AccessForm } from './access-form.tsx';

/** Who may fill a form in, until when and how often. */
export function Access({ formId }: { formId: string }) {
  const read = useRead('readFormPage', { params: { id: formId } });
  return (
    <Card title={words.access} lead={words.accessLead}>
      <Loaded read={read}>{(page) => <AccessForm formId={formId} page={page} />}</Loaded>
    </Card>
  );
}

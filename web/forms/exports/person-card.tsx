import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { download } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { words } from '../../words/forms/exports.ts';

/** Everything that one person has sent, for whoever asks for their own data (45 CFR 164.524). */
export function PersonCard() {
  const [email, setEmail] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await download('exportPerson', { body: { email: email.trim() } }, 'submissions.zip');
    } catch (error) {
      const { fields, message } = problemOf(error);
      setProblem(fields['email']?.[0] ?? message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title={words.person} lead={words.personLead}>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label={words.personEmail} className="w-full sm:w-80" {...(problem === undefined ? {} : { problem })}>
          <Input
            type="email"
            required
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </Field>
        <Button type="submit" icon={FileDown} busy={isBusy}>
          {words.personSave}
        </Button>
      </form>
    </Card>
  );
}

import { LockKeyhole } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { SealedContent } from '../../../../src/forms/end-to-end/content.ts';
import { readIdentities } from '../../../../src/forms/end-to-end/local/read-identities.ts';
import { useUser } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input, Textarea } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { words } from '../../../words/forms/submission.ts';
import { forgetKey, heldKey, holdKey } from './held-key.ts';
import { openContent } from './open-sealed.ts';
import { OpenedAnswers } from './opened-answers.tsx';
import type { Submission } from './page.tsx';

interface Opened {
  content: SealedContent;
  identities: readonly string[];
}

/** A submission that only the clinic can read. The key is used in this browser and never sent. */
export function Sealed({ submission }: { submission: Submission }) {
  const { id: userId } = useUser();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const open = async (identities: readonly string[]) => {
    try {
      setOpened({ content: await openContent(identities, submission), identities });
      holdKey(userId, identities);
      setText('');
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : words.notOpened);
    }
  };
  useEffect(() => {
    const held = heldKey(userId);
    if (held !== null) void open(held);
  }, [submission.id]);
  const tryOpen = () => {
    const identities = readIdentities(text);
    if (identities === null) setProblem(words.keyWrong);
    else void open(identities);
  };
  if (opened !== null) {
    return (
      <Card
        title={words.answers}
        lead={words.keptKey}
        actions={
          <Button
            onClick={() => {
              forgetKey();
              setOpened(null);
            }}
          >
            {words.forgetKey}
          </Button>
        }
      >
        <OpenedAnswers submission={submission} content={opened.content} identities={opened.identities} />
      </Card>
    );
  }
  return (
    <Card title={words.sealedTitle} lead={words.sealedLead}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          tryOpen();
        }}
      >
        <Field label={words.key} hint={words.keyHint} problem={problem ?? undefined}>
          <Textarea
            rows={2}
            required
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-sm"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        <Field label={words.keyFile}>
          <Input
            type="file"
            onChange={({ target }) => void target.files?.[0]?.text().then((content) => setText(content))}
          />
        </Field>
        <div>
          <Button type="submit" look="primary" icon={LockKeyhole}>
            {words.open}
          </Button>
        </div>
      </form>
    </Card>
  );
}

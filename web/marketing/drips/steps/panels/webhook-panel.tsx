import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../../api/client.ts';
import { useMay } from '../../../../session/session.ts';
import { Button } from '../../../../ui/button.tsx';
import { CopyText } from '../../../../ui/copy.tsx';
import { Field, Input } from '../../../../ui/field.tsx';
import { tellProblem } from '../../../../ui/toast.tsx';
import { words } from '../../../../words/drips/panels.ts';
import { useEditing } from '../../editing.ts';
import type { WebhookStep } from '../../model/step.ts';
import type { PanelProps } from './panel-props.ts';

/** Which system is told, and the secret by which it knows that it is this product that tells it. */
export function WebhookPanel({ step, onChange, disabled }: PanelProps<WebhookStep>) {
  const isAdmin = useMay('admin');
  return (
    <>
      <Field label={words.url} hint={words.urlHint}>
        <Input
          type="url"
          inputMode="url"
          value={step.url}
          maxLength={2_048}
          disabled={disabled}
          onChange={(event) => onChange({ ...step, url: event.target.value }, `url:${step.id}`)}
        />
      </Field>
      {isAdmin && <Secret />}
    </>
  );
}

function Secret() {
  const { drip } = useEditing();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <CopyText label={words.secret} value={secret} />;
  const show = () =>
    call('readDripWebhookSecret', { params: { id: drip.id } }).then(({ data }) => setSecret(data.secret), tellProblem);
  return (
    <div>
      <Button icon={KeyRound} onClick={() => void show()}>
        {words.showSecret}
      </Button>
    </div>
  );
}

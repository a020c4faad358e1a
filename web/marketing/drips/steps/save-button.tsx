import { Save } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Choice, Field, Input } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/drips.ts';
import { words as shared } from '../../../words/shared.ts';
import { useEditing } from '../editing.ts';
import { isSame } from '../model/draft.ts';
import { useSave } from '../use-save.ts';

/** Saves; where people are on their way and the steps are others, asks which newcomers get them. */
export function SaveButton() {
  const { drip, draft, history, isDirty, theirs } = useEditing();
  const [isAsking, setIsAsking] = useState(false);
  const { save, showUnfinished, isSaving, error } = useSave(() => tell(words.saved));
  const { state, version } = drip.attributes;
  const isUnderWay = state === 'running' || state === 'paused';
  const hasOtherSteps = !isSame(draft.steps, history.saved.steps);
  const isNewVersion = isUnderWay && hasOtherSteps;
  const saveNow = async () => {
    if (showUnfinished('save')) return;
    if (isNewVersion) setIsAsking(true);
    else await save();
  };
  return (
    <>
      <Button look="primary" icon={Save} busy={isSaving} disabled={!isDirty} onClick={() => void saveNow()}>
        {isNewVersion ? words.saveVersion(version + 1) : isDirty ? shared.save : shared.saved}
      </Button>
      {isAsking && theirs === null && (
        <ShareDialog
          version={version + 1}
          onClose={() => setIsAsking(false)}
          onSave={async (share) => {
            if (await save(share)) setIsAsking(false);
          }}
          isSaving={isSaving}
          error={error}
        />
      )}
    </>
  );
}

interface ShareDialogProps {
  version: number;
  onClose(): void;
  onSave(share: number): Promise<void>;
  isSaving: boolean;
  error: unknown;
}

function ShareDialog({ version, onClose, onSave, isSaving, error }: ShareDialogProps) {
  const [who, setWho] = useState<'all' | 'some' | 'none'>('all');
  const [share, setShare] = useState('20');
  const value = who === 'all' ? 100 : who === 'none' ? 0 : Number(share);
  const isFit = who !== 'some' || (Number.isInteger(value) && value >= 1 && value <= 99);
  return (
    <Dialog open onClose={onClose} title={words.saveVersion(version)} lead={words.saveVersionLead}>
      <Choice
        legend={words.whoGetsIt}
        value={who}
        onChange={setWho}
        options={[
          { value: 'all', label: words.shares.all, hint: words.shares.allHint },
          { value: 'some', label: words.shares.some, hint: words.shares.someHint },
          { value: 'none', label: words.shares.none, hint: words.shares.noneHint },
        ]}
      />
      {who === 'some' && (
        <Field label={words.shareOf100} {...(isFit ? {} : { problem: words.shareRule })}>
          <Input type="number" min={1} max={99} value={share} onChange={(event) => setShare(event.target.value)} />
        </Field>
      )}
      {error !== null && error !== undefined && <Problem error={error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="primary" busy={isSaving} disabled={!isFit} onClick={() => void onSave(value)}>
          {words.saveVersion(version)}
        </Button>
      </Actions>
    </Dialog>
  );
}

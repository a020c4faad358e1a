import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { download } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { tell, tellProblem } from '../ui/toast.tsx';
import { words } from '../words/evidence.ts';

interface EvidenceButtonProps {
  op: 'exportEvidence' | 'exportCampaignMailingEvidence';
  id: string;
}

/** Saves all that shows how one mail was delivered. */
export function EvidenceButton({ op, id }: EvidenceButtonProps) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      await download(op, { params: { id } }, words.evidenceName(id));
      tell(words.evidenceReady);
    } catch (error) {
      tellProblem(error);
    }
    setBusy(false);
  };
  return (
    <Button icon={FileDown} busy={busy} onClick={() => void save()}>
      {words.evidence}
    </Button>
  );
}

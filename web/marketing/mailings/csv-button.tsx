import { Download } from 'lucide-react';
import { useState } from 'react';
import { download, type Input, type Operation } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/mailings.ts';

interface CsvButtonProps<Op extends Operation> {
  op: Op;
  input: Input<Op>;
  /** What is in the file. */
  what: string;
}

/** Saves a report as a file. */
export function CsvButton<Op extends Operation>({ op, input, what }: CsvButtonProps<Op>) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await download(op, input, 'report.csv').catch(tellProblem);
    setBusy(false);
  };
  return (
    <Button icon={Download} busy={busy} aria-label={words.csvOf(what)} onClick={() => void save()}>
      {words.downloadCsv}
    </Button>
  );
}

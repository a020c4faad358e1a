import { Download, Route, Send, Users } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { words } from '../../words/segments.ts';
import { ANYBODY } from '../subscribers/choice.ts';
import { ExportDialog } from '../subscribers/export-dialog.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';
import { SendDialog } from './send-dialog.tsx';

/** What can be done with the people of a segment. */
export function UseCard({ id }: { id: string }) {
  const [open, setOpen] = useState<'send' | 'enrol' | 'export' | null>(null);
  const close = () => setOpen(null);
  return (
    <Card title={words.useTitle} lead={words.useLead}>
      <div className="flex flex-wrap gap-2">
        <ButtonLink icon={Users} to="/marketing/subscribers" search={{ segment: id }}>
          {words.see}
        </ButtonLink>
        <Button icon={Send} onClick={() => setOpen('send')}>
          {words.send}
        </Button>
        <Button icon={Route} onClick={() => setOpen('enrol')}>
          {words.enrol}
        </Button>
        <Button icon={Download} onClick={() => setOpen('export')}>
          {words.export}
        </Button>
      </div>
      {open === 'send' && <SendDialog segmentId={id} onClose={close} />}
      {open === 'enrol' && <EnrolDialog segmentId={id} onClose={close} />}
      {open === 'export' && <ExportDialog choice={{ ...ANYBODY, segment: id }} onClose={close} />}
    </Card>
  );
}

import { Download } from 'lucide-react';
import { download, type Reply } from '../../api/client.ts';
import { useMay } from '../../session/session.ts';
import { Badge, Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/settings/agreement.ts';
import { dayInWords } from './day-in-words.ts';

type Agreement = Reply<'readAgreement'>['agreement'];

/** Whether an agreement is in force, and who signed it. */
export function AgreementState({ agreement }: { agreement: Agreement }) {
  const isOwner = useMay('owner');
  const mayDownload = useMay('admin');
  if (agreement === null)
    return (
      <Notice tone="bad" title={words.missing}>
        {words.missingLead} {isOwner ? words.missingOwner : words.missingOther}
      </Notice>
    );
  return (
    <Card
      title={words.current}
      actions={
        mayDownload &&
        agreement.has_pdf && (
          <Button icon={Download} onClick={savePdf}>
            {words.download}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          [words.state, <Badge tone="good">{words.inForce}</Badge>],
          [words.version, agreement.version],
          [words.signer, agreement.signer],
          [words.signedOn, dayInWords(agreement.signed_on)],
          [words.endsOn, agreement.ends_on === null ? words.noEnd : dayInWords(agreement.ends_on)],
        ]}
      />
    </Card>
  );
}

function savePdf(): void {
  download('readAgreementPdf', {}, 'agreement.pdf').catch(tellProblem);
}

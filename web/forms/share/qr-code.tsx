import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { renderSVG } from 'uqr';
import { saveFile } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { words } from '../../words/forms/share.ts';

/** The address of a form for the camera of a phone, to be seen and to be printed. */
export function QrCode({ address, name }: { address: string; name: string }) {
  const svg = useMemo(() => renderSVG(address, { ecc: 'M', border: 2 }), [address]);
  return (
    <Card
      title={words.qr}
      lead={words.qrLead}
      actions={
        <Button icon={Download} onClick={() => saveFile(new Blob([svg], { type: 'image/svg+xml' }), `${name}.svg`)}>
          {words.saveSvg}
        </Button>
      }
    >
      <img
        alt={words.qrImage}
        src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
        className="size-44 rounded-md border bg-white"
      />
    </Card>
  );
}

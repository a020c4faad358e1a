import { customHeadersOf } from '../submission/custom-headers.ts';
import { messageIdOf } from '../submission/message-id.ts';
import type { Envelope } from '../submission/sealed-message.ts';

/** What an event says, in webhooks and in the events cursor. */
export interface EventBody {
  event_name: string;
  payload: {
    id: number;
    subject: string;
    header_message_id: string;
    source_tracking_id: string;
    outbound_queue_id: string;
    time: string;
    from: string;
    to: string;
    custom_headers: Record<string, string>;
    /** There where the server got the whole message and nobody knows what became of it. */
    uncertain?: true;
  };
}

/** Describes an event from its ids and the opened envelope of its message; the same input gives the same bytes. */
export function describeEvent(
  event: { name: string; number: number; messageId: string; ordinal: number; at: Date; uncertain: boolean },
  envelope: Envelope,
): EventBody {
  return {
    event_name: event.name,
    payload: {
      id: event.number,
      subject: envelope.subject,
      header_message_id: messageIdOf(event.messageId, envelope.from.address),
      source_tracking_id: event.messageId,
      outbound_queue_id: `${event.messageId}-${event.ordinal}`,
      time: event.at.toISOString(),
      from: envelope.from.address,
      to: envelope.recipients[event.ordinal]?.address ?? '',
      custom_headers: customHeadersOf(envelope),
      ...(event.uncertain ? { uncertain: true } : {}),
    },
  };
}

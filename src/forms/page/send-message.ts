import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Message, renderMessage } from './render/message.ts';
import { sendHtml } from './send-html.ts';
import { pickLanguage } from './words/pick-language.ts';
import { SPOKEN } from './words/words-of.ts';

/** Where a message is sent, by whom it may be framed, and in which language; that of the browser where none is known. */
interface To {
  request: FastifyRequest;
  reply: FastifyReply;
  frameOrigins?: readonly string[];
  language?: string;
}

/** Sends a small page that says one thing. */
export function sendMessage({ request, reply, frameOrigins = [], language }: To, status: number, message: Message) {
  const { language: wanted } = (request.query ?? {}) as { language?: unknown };
  const asked = language ?? (typeof wanted === 'string' ? wanted : undefined);
  const spoken = pickLanguage(SPOKEN, request.headers['accept-language'], asked);
  return sendHtml(reply.code(status), frameOrigins, (nonce) => renderMessage(message, spoken, nonce));
}

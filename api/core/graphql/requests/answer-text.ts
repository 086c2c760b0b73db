import type { AnswerBytes } from '../../../../shared/core/bytes/answer-bytes.js';
import { AnswerTooLarge } from '../../../../shared/core/values/errors.js';
import { jsonText, readyText } from '../../json-text.js';
import type { GraphqlAnswer } from './run.js';

/**
 * Counts the minimum size of a value's text without building it: a text may occur in a response a thousand times, which
 * costs nothing until it is serialized.
 * @param room remaining bytes
 * @returns the bytes that remain after the value
 * @throws AnswerTooLarge
 */
function countDown(value: unknown, room: number, limit: number): number {
  if (room < 0) throw new AnswerTooLarge(limit);
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 1;
  let left = room - 2;
  if (Array.isArray(value)) for (const item of value) left = countDown(item, left - 1, limit);
  else for (const key in value) left = countDown((value as Record<string, unknown>)[key], left - key.length - 4, limit);
  return left;
}

function getText(answer: AnswerBytes, one: GraphqlAnswer, room: number): string {
  try {
    if (one.text === undefined) countDown(one, room, answer.limit);
    const text = one.text === undefined ? jsonText(answer, one) : readyText(answer, one.text);
    if (Buffer.byteLength(text) <= room) return text;
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
  }
  return JSON.stringify({ errors: [{ message: new AnswerTooLarge(answer.limit).message }] });
}

/**
 * The responses of one request as JSON. A response that exceeds the limit is replaced by an error; its changes remain
 * committed.
 * @throws Overloaded
 */
export function answerText(answer: AnswerBytes | undefined, answers: readonly GraphqlAnswer[], batch: boolean): string {
  if (!answer) {
    const whole = answers.map((one) => one.text ?? JSON.stringify(one));
    return batch ? `[${whole.join(',')}]` : (whole[0] as string);
  }
  let room = answer.limit;
  const texts = answers.map((one) => {
    const text = getText(answer, one, room);
    room -= Buffer.byteLength(text) + 1;
    return text;
  });
  return batch ? `[${texts.join(',')}]` : (texts[0] as string);
}

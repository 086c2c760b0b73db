import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout this launcher belongs to, absolute, without a trailing slash. */
export const checkout = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));

/**
 * A path inside the checkout.
 *
 * @param {...string} parts
 */
export function inCheckout(...parts) {
  return path.join(checkout, ...parts);
}

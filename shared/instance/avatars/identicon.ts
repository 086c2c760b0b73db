import { hash } from 'node:crypto';
import { toSvg } from 'jdenticon';

/** Below which path people's drawings are served, each as `<user id>.svg`. */
export const IDENTICONS = '/-/identicons/users';

/** Pixels of a side; as a drawing it is sharp at any size. */
const SIDE = 96;

/** The identicon of a user without an avatar, as SVG: derived from the id alone, so that it never changes. */
export function identicon(userId: number): string {
  // Light shapes would not be seen on a light page, nor dark ones on a dark one.
  const options = { backColor: '#f2f2f0', padding: 0.12, lightness: { color: [0.35, 0.6], grayscale: [0.3, 0.6] } };
  return toSvg(hash('sha1', `user:${userId}`, 'hex'), SIDE, options);
}

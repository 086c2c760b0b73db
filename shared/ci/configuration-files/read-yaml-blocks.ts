/** A text in which the blocks `$[[ … ]]` cannot be taken for lists, and the way back. */
export interface BlockShield {
  text: string;
  restore: (text: string) => string;
}

const BEGIN = '$[[';
/** Characters of private use for those that end a scalar inside of `[…]`: same length, same positions. */
const STAND_INS = new Map([...'[]{},'].map((character, index) => [character, String.fromCharCode(0xe0b0 + index)]));
const CHARACTERS = new Map([...STAND_INS].map(([character, standIn]) => [standIn, character]));

const BLOCK = /\$\[\[[^\r\n$]{0,1024}?\]\]/g;
const SPECIAL = /[[\]{},]/g;
const STAND_IN = /[\ue0b0-\ue0b4]/g;

const keepText = (text: string) => text;

/**
 * Lets a file have `[$[[ inputs.tag ]], x]`, which the public parser reads because it replaces blocks before it reads
 * YAML. A file that has the characters of private use itself is left as it is.
 */
export function createBlockShield(text: string): BlockShield {
  if (!text.includes(BEGIN) || text.search(STAND_IN) >= 0) return { text, restore: keepText };
  return {
    text: text.replace(BLOCK, (block) => block.replace(SPECIAL, (one) => STAND_INS.get(one) ?? one)),
    restore: (value) => value.replace(STAND_IN, (one) => CHARACTERS.get(one) ?? one),
  };
}

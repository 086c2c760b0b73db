/*
 * Colours and weights of terminal text: `Select Graphic Rendition`. What is not listed here is dropped.
 */

/** How a run of characters looks. Colours are numbers of the 256-colour palette. */
export interface TextStyle {
  foreground: number | null;
  background: number | null;
  bold: boolean;
  italic: boolean;
  underline: boolean;
}

export const PLAIN: TextStyle = { foreground: null, background: null, bold: false, italic: false, underline: false };

const SWITCHES: Readonly<Record<number, Partial<TextStyle>>> = {
  0: PLAIN,
  1: { bold: true },
  3: { italic: true },
  4: { underline: true },
  22: { bold: false },
  23: { italic: false },
  24: { underline: false },
  39: { foreground: null },
  49: { background: null },
};

const COLORS = 256;

/** The change by one of the 16 numbered colours; null for other codes. */
function getBasicColor(code: number): Partial<TextStyle> | null {
  if (code >= 30 && code <= 37) return { foreground: code - 30 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 90 && code <= 97) return { foreground: code - 90 + 8 };
  if (code >= 100 && code <= 107) return { background: code - 100 + 8 };
  return null;
}

/** How many codes after 38 or 48 belong to it: `5;n` and `2;r;g;b`. */
const PALETTE = 5;
const TRUE_COLOR = 2;
const EXTENDED_LENGTH: Readonly<Record<number, number>> = { [PALETTE]: 2, [TRUE_COLOR]: 4 };

/**
 * The style after a sequence of codes.
 * @param params between `ESC [` and `m`: `1;38;5;208`
 */
export function applySgr(style: TextStyle, params: string): TextStyle {
  // Colons separate parts of one code; here they mean the same.
  const codes = params.split(/[;:]/).map((code) => (code === '' ? 0 : Number.parseInt(code, 10)));
  let result = style;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] as number;
    if (code === 38 || code === 48) {
      const [kind, color] = [codes[index + 1] ?? -1, codes[index + 2] ?? -1];
      if (kind === PALETTE && color >= 0 && color < COLORS)
        result = { ...result, [code === 38 ? 'foreground' : 'background']: color };
      index += EXTENDED_LENGTH[kind] ?? 0;
      continue;
    }
    const change = SWITCHES[code] ?? getBasicColor(code);
    if (change) result = { ...result, ...change };
  }
  return isPlain(result) ? PLAIN : result;
}

const isPlain = ({ foreground, background, bold, italic, underline }: TextStyle): boolean =>
  foreground === null && background === null && !bold && !italic && !underline;

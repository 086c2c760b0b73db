import type { TextStyle } from './sgr.js';

/*
 * The 256 colours of terminals. They mean what the program meant, in either theme: a log has a dark ground in both.
 * Text that could not be read on its ground is made lighter or darker until it can.
 */

type Rgb = readonly [red: number, green: number, blue: number];

const BASIC: readonly Rgb[] = [
  [84, 92, 100],
  [240, 113, 120],
  [128, 203, 140],
  [230, 190, 100],
  [125, 170, 255],
  [213, 146, 235],
  [98, 206, 214],
  [208, 212, 217],
  [140, 148, 157],
  [255, 148, 148],
  [160, 230, 170],
  [250, 220, 140],
  [165, 200, 255],
  [235, 180, 250],
  [150, 230, 236],
  [255, 255, 255],
];

/** The ground of logs: `--log-ground`. */
const GROUND: Rgb = [22, 25, 29];
const INK: Rgb = [222, 226, 230];
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

const MIN_CONTRAST = 4.5;

const CUBE = [0, 95, 135, 175, 215, 255] as const;

function getRgb(color: number): Rgb {
  const basic = BASIC[color];
  if (basic) return basic;
  if (color >= 232) {
    const gray = 8 + (color - 232) * 10;
    return [gray, gray, gray];
  }
  const cube = color - 16;
  const part = (size: number) => CUBE[Math.floor(cube / size) % 6] ?? 0;
  return [part(36), part(6), part(1)];
}

function getLuminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function getContrast(one: Rgb, other: Rgb): number {
  const [a, b] = [getLuminance(one), getLuminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const mix = (color: Rgb, into: Rgb, share: number): Rgb =>
  color.map((value, index) => Math.round(value + ((into[index] ?? 0) - value) * share)) as unknown as Rgb;

const STEPS = 10;

/** The nearest shade of a colour that can be read on a ground. */
function getReadable(color: Rgb, ground: Rgb): Rgb {
  const end = getContrast(WHITE, ground) >= getContrast(BLACK, ground) ? WHITE : BLACK;
  for (let step = 0; step <= STEPS; step += 1) {
    const shade = mix(color, end, step / STEPS);
    if (getContrast(shade, ground) >= MIN_CONTRAST) return shade;
  }
  return end;
}

const write = ([red, green, blue]: Rgb): string => `rgb(${red} ${green} ${blue})`;

/** The colours of a run of text; those that are undefined are the log's own. */
export interface TextColors {
  color?: string;
  backgroundColor?: string;
}

const known = new Map<string, TextColors>();

/** The colours in which a run of text can be read. */
export function getTextColors({ foreground, background }: TextStyle): TextColors {
  if (foreground === null && background === null) return {};
  const key = `${foreground}/${background}`;
  let colors = known.get(key);
  if (!colors) {
    const ground = background === null ? GROUND : getRgb(background);
    const color = getReadable(foreground === null ? INK : getRgb(foreground), ground);
    colors = { color: write(color), ...(background === null ? {} : { backgroundColor: write(ground) }) };
    known.set(key, colors);
  }
  return colors;
}

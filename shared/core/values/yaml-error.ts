/** Where a text stands; both count from 1. */
export interface YamlPosition {
  line: number;
  column: number;
}

/** Why a text is refused: it is no YAML, a tag is not known, or it is larger than allowed once aliases are followed. */
export type YamlErrorKind = 'syntax' | 'tag' | 'too_big';

/** A text cannot be read as YAML. `message` is the reason alone. */
export class YamlError extends Error {
  constructor(
    readonly kind: YamlErrorKind,
    reason: string,
    readonly position: YamlPosition,
  ) {
    super(reason);
  }
}

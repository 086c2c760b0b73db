import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { PositionInput } from '../../../shared/notes/notes/position-params.js';
import type { LineEnd, Position } from '../../../shared/notes/notes/position.js';
import { DiffRefsType } from '../../merge-requests/merge-requests/merge-requests.graphql.js';

const DiffPositionType = { text: 'text', image: 'image', file: 'file' } as const;
registerEnumType(DiffPositionType, {
  name: 'DiffPositionType',
  description: 'What of a diff a note stands on.',
  valuesConfig: {
    text: { description: 'A line.' },
    image: { description: 'A point of a picture.' },
    file: { description: 'A file as a whole.' },
  },
});

/** One end of the lines that a note covers. */
@ObjectType('DiffLineEnd', { description: 'One end of the lines that a note covers.' })
class DiffLineEndType {
  constructor(private readonly end: LineEnd) {}

  @Field(() => String, { description: 'Digest of the path, number before and number after.' })
  get lineCode(): string {
    return this.end.line_code;
  }

  @Field(() => String, { nullable: true, description: '`new` for an added line, `old` for a removed one.' })
  get type(): string | null {
    return this.end.type;
  }

  @Field(() => Int, { nullable: true, description: 'Its number before; null for an added line.' })
  get oldLine(): number | null {
    return this.end.old_line;
  }

  @Field(() => Int, { nullable: true, description: 'Its number after; null for a removed line.' })
  get newLine(): number | null {
    return this.end.new_line;
  }
}

@ObjectType('DiffLineRange', { description: 'Lines that a note covers.', simpleResolvers: true })
class DiffLineRangeType {
  @Field(() => DiffLineEndType, { description: 'The first one.' })
  start!: DiffLineEndType;

  @Field(() => DiffLineEndType, { description: 'The last one.' })
  end!: DiffLineEndType;
}

/** Where in a diff a note stands (graphql.md section 5.5). */
@ObjectType('DiffPosition', { description: 'Where in a diff a note stands.' })
export class DiffPositionObject {
  constructor(readonly record: Position) {}

  /** What pictures alone have, or lines alone. */
  #own(key: string): number | null {
    return ((this.record as unknown as Record<string, unknown>)[key] as number | null | undefined) ?? null;
  }

  @Field(() => DiffRefsType, { description: 'The commits that are compared.' })
  get diffRefs(): DiffRefsType {
    const { head_sha: headSha, base_sha: baseSha, start_sha: startSha } = this.record;
    return { headSha, baseSha, startSha };
  }

  @Field(() => String, { description: 'Path of the file.' })
  get filePath(): string {
    return this.record.new_path || this.record.old_path;
  }

  @Field(() => String, { nullable: true, description: 'Path of the file before.' })
  get oldPath(): string {
    return this.record.old_path;
  }

  @Field(() => String, { nullable: true, description: 'Path of the file after.' })
  get newPath(): string {
    return this.record.new_path;
  }

  @Field(() => Int, { nullable: true, description: 'Number of the line before.' })
  get oldLine(): number | null {
    return this.#own('old_line');
  }

  @Field(() => Int, { nullable: true, description: 'Number of the line after.' })
  get newLine(): number | null {
    return this.#own('new_line');
  }

  @Field(() => DiffLineRangeType, { nullable: true, description: 'The lines that it covers, where they are several.' })
  get lineRange(): DiffLineRangeType | null {
    const range = this.record.position_type === 'text' ? this.record.line_range : null;
    return range && { start: new DiffLineEndType(range.start), end: new DiffLineEndType(range.end) };
  }

  @Field(() => DiffPositionType, { description: 'What it stands on.' })
  get positionType(): string {
    return this.record.position_type;
  }

  @Field(() => Int, { nullable: true, description: 'Pixels of the picture.' })
  get height(): number | null {
    return this.#own('height');
  }

  @Field(() => Int, { nullable: true, description: 'Pixels of the picture.' })
  get width(): number | null {
    return this.#own('width');
  }

  @Field(() => Int, { nullable: true, description: 'Pixels from the left.' })
  get x(): number | null {
    return this.#own('x');
  }

  @Field(() => Int, { nullable: true, description: 'Pixels from the top.' })
  get y(): number | null {
    return this.#own('y');
  }
}

@InputType('DiffPathsInput', { description: 'A file of a diff; one of the two at least.' })
class DiffPathsInput {
  @Field(() => String, { nullable: true, description: 'Its path before.' })
  oldPath?: string | null;

  @Field(() => String, { nullable: true, description: 'Its path after.' })
  newPath?: string | null;
}

@InputType({ description: 'Where in a diff a note is to stand.' })
abstract class DiffPositionBase {
  @Field(() => String, { description: 'Head of the source branch.' })
  headSha!: string;

  @Field(() => String, { description: 'Head of the target branch.' })
  startSha!: string;

  @Field(() => String, { nullable: true, description: 'Where the branches parted.' })
  baseSha?: string | null;

  @Field(() => DiffPathsInput, { description: 'The file.' })
  paths!: DiffPathsInput;
}

@InputType('DiffPositionInput', { description: 'A line of a diff.' })
export class DiffPositionInput extends DiffPositionBase {
  @Field(() => Int, { nullable: true, description: 'Its number after; of a removed line left out.' })
  newLine?: number | null;

  @Field(() => Int, { nullable: true, description: 'Its number before; of an added line left out.' })
  oldLine?: number | null;
}

@InputType('DiffImagePositionInput', { description: 'A point of a picture.' })
export class DiffImagePositionInput extends DiffPositionBase {
  @Field(() => Int, { description: 'Pixels from the left.' })
  x!: number;

  @Field(() => Int, { description: 'Pixels from the top.' })
  y!: number;

  @Field(() => Int, { description: 'Pixels of the picture.' })
  width!: number;

  @Field(() => Int, { description: 'Pixels of the picture.' })
  height!: number;
}

@InputType('UpdateDiffImagePositionInput', {
  description: 'Where in its picture a note is to stand; what is left out stays.',
})
export class UpdateDiffImagePositionInput {
  @Field(() => Int, { nullable: true, description: 'Pixels from the left.' })
  x?: number | null;

  @Field(() => Int, { nullable: true, description: 'Pixels from the top.' })
  y?: number | null;

  @Field(() => Int, { nullable: true, description: 'Pixels of the picture.' })
  width?: number | null;

  @Field(() => Int, { nullable: true, description: 'Pixels of the picture.' })
  height?: number | null;
}

const omitNil = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

const common = ({ headSha, startSha, baseSha, paths }: DiffPositionBase) => ({
  head_sha: headSha,
  start_sha: startSha,
  base_sha: baseSha ?? startSha,
  old_path: paths.oldPath,
  new_path: paths.newPath,
});

/** A position as the operations take it. */
export const linePosition = (input: DiffPositionInput): PositionInput =>
  omitNil({
    ...common(input),
    position_type: 'text',
    old_line: input.oldLine,
    new_line: input.newLine,
  }) as PositionInput;

export const imagePosition = (input: DiffImagePositionInput): PositionInput => {
  const { x, y, width, height } = input;
  return omitNil({ ...common(input), position_type: 'image', x, y, width, height }) as PositionInput;
};

/** What is given of a point. */
export const pointOf = ({ x, y, width, height }: UpdateDiffImagePositionInput): Record<string, number> =>
  omitNil({ x, y, width, height }) as Record<string, number>;

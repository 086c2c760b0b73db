import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { PositionInput } from '../../../shared/notes/notes/position-params.js';
import type { LineEnd, Position } from '../../../shared/notes/notes/position.js';
import { DiffRefsType } from '../../merge-requests/merge-requests/merge-requests.graphql.js';
import { withoutNulls } from '../../core/graphql/params.js';
import { RecordField } from '../../core/graphql/records.js';

const DiffPositionType = { text: 'text', image: 'image', file: 'file' } as const;
registerEnumType(DiffPositionType, {
  name: 'DiffPositionType',
  description: 'Type of the position of a note in a diff.',
  valuesConfig: {
    text: { description: 'Position on a line.' },
    image: { description: 'Position on a point of an image.' },
    file: { description: 'Position on a file as a whole.' },
  },
});

/** One end of the lines that a note covers. */
@ObjectType('DiffLineEnd', { description: 'First or last of the lines that a note covers.' })
class DiffLineEndType {
  constructor(readonly record: LineEnd) {}

  @RecordField(() => String, {
    description: 'Digest of the path, line number before and line number after the change.',
  })
  declare readonly lineCode: string;

  @RecordField(() => String, {
    nullable: true,
    description: 'Type of the line: `new` for an added line, `old` for a removed one.',
  })
  declare readonly type: string | null;

  @RecordField(() => Int, { nullable: true, description: 'Line number before the change; null for an added line.' })
  declare readonly oldLine: number | null;

  @RecordField(() => Int, { nullable: true, description: 'Line number after the change; null for a removed line.' })
  declare readonly newLine: number | null;
}

@ObjectType('DiffLineRange', { description: 'Range of lines that a note covers.', simpleResolvers: true })
class DiffLineRangeType {
  @Field(() => DiffLineEndType, { description: 'First line of the range.' })
  start!: DiffLineEndType;

  @Field(() => DiffLineEndType, { description: 'Last line of the range.' })
  end!: DiffLineEndType;
}

/** The position of a note in a diff (graphql.md section 5.5). */
@ObjectType('DiffPosition', { description: 'Position of a note in a diff.' })
export class DiffPositionObject {
  constructor(readonly record: Position) {}

  /** What pictures alone have, or lines alone. */
  #own(key: string): number | null {
    return ((this.record as unknown as Record<string, unknown>)[key] as number | null | undefined) ?? null;
  }

  @Field(() => DiffRefsType, { description: 'Commits that are compared.' })
  get diffRefs(): DiffRefsType {
    const { head_sha: headSha, base_sha: baseSha, start_sha: startSha } = this.record;
    return { headSha, baseSha, startSha };
  }

  @Field(() => String, { description: 'Path of the file.' })
  get filePath(): string {
    return this.record.new_path || this.record.old_path;
  }

  @RecordField(() => String, { nullable: true, description: 'Path of the file before the change.' })
  declare readonly oldPath: string;

  @RecordField(() => String, { nullable: true, description: 'Path of the file after the change.' })
  declare readonly newPath: string;

  @Field(() => Int, { nullable: true, description: 'Line number before the change.' })
  get oldLine(): number | null {
    return this.#own('old_line');
  }

  @Field(() => Int, { nullable: true, description: 'Line number after the change.' })
  get newLine(): number | null {
    return this.#own('new_line');
  }

  @Field(() => DiffLineRangeType, { nullable: true, description: 'Lines that the note covers, if there are several.' })
  get lineRange(): DiffLineRangeType | null {
    const range = this.record.position_type === 'text' ? this.record.line_range : null;
    return range && { start: new DiffLineEndType(range.start), end: new DiffLineEndType(range.end) };
  }

  @RecordField(() => DiffPositionType, { description: 'Type of the position.' })
  declare readonly positionType: string;

  @Field(() => Int, { nullable: true, description: 'Height of the image, in pixels.' })
  get height(): number | null {
    return this.#own('height');
  }

  @Field(() => Int, { nullable: true, description: 'Width of the image, in pixels.' })
  get width(): number | null {
    return this.#own('width');
  }

  @Field(() => Int, { nullable: true, description: 'Distance from the left of the image, in pixels.' })
  get x(): number | null {
    return this.#own('x');
  }

  @Field(() => Int, { nullable: true, description: 'Distance from the top of the image, in pixels.' })
  get y(): number | null {
    return this.#own('y');
  }
}

@InputType('DiffPathsInput', { description: 'Paths of a file of a diff; at least one of the two is required.' })
class DiffPathsInput {
  @Field(() => String, { nullable: true, description: 'Path of the file before the change.' })
  oldPath?: string | null;

  @Field(() => String, { nullable: true, description: 'Path of the file after the change.' })
  newPath?: string | null;
}

@InputType({ description: 'Position of a note in a diff.' })
abstract class DiffPositionBase {
  @Field(() => String, { description: 'SHA of the head of the source branch.' })
  headSha!: string;

  @Field(() => String, { description: 'SHA of the head of the target branch.' })
  startSha!: string;

  @Field(() => String, { nullable: true, description: 'SHA of the commit at which the branches diverged.' })
  baseSha?: string | null;

  @Field(() => DiffPathsInput, { description: 'Paths of the file.' })
  paths!: DiffPathsInput;
}

@InputType('DiffPositionInput', { description: 'Position on a line of a diff.' })
export class DiffPositionInput extends DiffPositionBase {
  @Field(() => Int, { nullable: true, description: 'Line number after the change; omitted for a removed line.' })
  newLine?: number | null;

  @Field(() => Int, { nullable: true, description: 'Line number before the change; omitted for an added line.' })
  oldLine?: number | null;
}

@InputType('DiffImagePositionInput', { description: 'Position on a point of an image.' })
export class DiffImagePositionInput extends DiffPositionBase {
  @Field(() => Int, { description: 'Distance from the left of the image, in pixels.' })
  x!: number;

  @Field(() => Int, { description: 'Distance from the top of the image, in pixels.' })
  y!: number;

  @Field(() => Int, { description: 'Width of the image, in pixels.' })
  width!: number;

  @Field(() => Int, { description: 'Height of the image, in pixels.' })
  height!: number;
}

@InputType('UpdateDiffImagePositionInput', {
  description: 'New position of a note on its image; omitted values stay unchanged.',
})
export class UpdateDiffImagePositionInput {
  @Field(() => Int, { nullable: true, description: 'Distance from the left of the image, in pixels.' })
  x?: number | null;

  @Field(() => Int, { nullable: true, description: 'Distance from the top of the image, in pixels.' })
  y?: number | null;

  @Field(() => Int, { nullable: true, description: 'Width of the image, in pixels.' })
  width?: number | null;

  @Field(() => Int, { nullable: true, description: 'Height of the image, in pixels.' })
  height?: number | null;
}

const common = ({ headSha, startSha, baseSha, paths }: DiffPositionBase) => ({
  head_sha: headSha,
  start_sha: startSha,
  base_sha: baseSha ?? startSha,
  old_path: paths.oldPath,
  new_path: paths.newPath,
});

/** A position as the operations take it. */
export const linePosition = (input: DiffPositionInput): PositionInput =>
  withoutNulls({
    ...common(input),
    position_type: 'text',
    old_line: input.oldLine,
    new_line: input.newLine,
  }) as PositionInput;

export const imagePosition = (input: DiffImagePositionInput): PositionInput => {
  const { x, y, width, height } = input;
  return withoutNulls({ ...common(input), position_type: 'image', x, y, width, height }) as PositionInput;
};

/** The coordinates that are present in the input. */
export const getPoint = ({ x, y, width, height }: UpdateDiffImagePositionInput): Record<string, number> =>
  withoutNulls({ x, y, width, height }) as Record<string, number>;

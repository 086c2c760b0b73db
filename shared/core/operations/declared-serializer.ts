import { compileSerializer } from './compile-serializer.js';
import type { Context } from '../context/context.js';
import type { Load } from '../context/loads.js';
import type { OutField, Serializer, View } from './serializer.types.js';

/** A serializer with some of its views visible: `present` and `load` are fixed at construction. */
class SerializerWithViews<T> implements Serializer<T> {
  #present!: (record: T, ctx: Context) => Record<string, unknown>;
  #loads!: Load<T>[];

  constructor(
    private readonly declared: DeclaredSerializer<T>,
    private readonly viewNames: readonly string[],
  ) {
    this.settle();
  }

  get name() {
    return this.declared.name;
  }

  get fields() {
    return this.declared.fields;
  }

  get views() {
    return this.declared.views;
  }

  settle(): void {
    const { fields, views, loads } = this.declared;
    const isIncluded = ({ view }: OutField<T>) => view === undefined || this.viewNames.includes(view);
    this.#present = compileSerializer(Object.entries(fields).filter(([, field]) => isIncluded(field)));
    this.#loads = [...loads, ...this.viewNames.flatMap((name) => views[name]?.loads ?? [])];
  }

  present(record: T, ctx: Context) {
    return this.#present(record, ctx);
  }

  async load(ctx: Context, records: readonly T[]) {
    if (this.#loads.length > 0) await Promise.all(this.#loads.map((load) => load.fill(ctx, records)));
  }

  showing(names: readonly string[]) {
    return this.declared.showing(names);
  }

  selectViews(ctx: Context, input: Readonly<Record<string, unknown>>) {
    return this.declared.selectViews(ctx, input, this.viewNames);
  }
}

/** A serializer as declared, with all of its views. */
export class DeclaredSerializer<T> {
  readonly #byViews = new Map<string, SerializerWithViews<T>>();
  readonly #byDefault: readonly string[];

  constructor(
    readonly name: string,
    readonly fields: Record<string, OutField<T>>,
    readonly loads: Load<T>[],
    readonly views: Record<string, View<T>>,
  ) {
    for (const [key, { view }] of Object.entries(fields))
      if (view !== undefined && !(view in views))
        throw new Error(`${name}.${key} is of the view ${view}, unknown here.`);
    this.#byDefault = Object.keys(views).filter((view) => views[view]?.byDefault);
  }

  get plain(): SerializerWithViews<T> {
    return this.showing(this.#byDefault);
  }

  showing(names: readonly string[]): SerializerWithViews<T> {
    const views = Object.keys(this.views).filter((name) => names.includes(name));
    const key = views.join(' ');
    const existing = this.#byViews.get(key);
    if (existing) return existing;
    const serializer = new SerializerWithViews(this, views);
    this.#byViews.set(key, serializer);
    return serializer;
  }

  selectViews(
    ctx: Context,
    input: Readonly<Record<string, unknown>>,
    otherwise: readonly string[],
  ): SerializerWithViews<T> {
    const views = Object.entries(this.views).filter(
      ([name, { when }]) => (input[name] ?? otherwise.includes(name)) === true && (!when || when(ctx)),
    );
    return this.showing(views.map(([name]) => name));
  }

  extend(fields: Record<string, OutField<T>>, loads: readonly Load<T>[]): void {
    Object.assign(this.fields, fields);
    this.loads.push(...loads);
    for (const variant of this.#byViews.values()) variant.settle();
  }
}

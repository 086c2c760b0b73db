/**
 * The instance's settings by name. The domain that declares them says so here, by augmenting the interface: core reads
 * settings without knowing where they are declared.
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- augmented where they are declared
export interface Settings {}

/** Names of settings whose values are of a type. */
export type SettingOf<V> = { [K in keyof Settings]: Settings[K] extends V ? K : never }[keyof Settings];

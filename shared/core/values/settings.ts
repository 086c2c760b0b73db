/**
 * The instance settings by name. The domain that declares them augments this interface: core reads settings without
 * depending on the domain that declares them.
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- augmented where they are declared
export interface Settings {}

/** Names of the settings with values of a type. */
export type SettingOf<V> = { [K in keyof Settings]: Settings[K] extends V ? K : never }[keyof Settings];

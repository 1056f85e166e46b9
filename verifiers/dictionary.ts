/** A table that is looked into by words of a foreign text: it has no entries but its own, not even `constructor`. */
export function dictionary<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), entries);
}

/** What the helpers need of a test: the moment it ends. The `t` of node:test is one. */
export interface TestLife {
  after(clean: () => void | Promise<void>): void
}

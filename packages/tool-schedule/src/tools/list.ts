import { parseNothing } from '../input.ts'
import { viewList } from '../view.ts'
import { only, transaction, type ToolPort, type ToolSpec } from './definition.ts'

/**
 * The tool that lists the active reminders, soonest first.
 *
 * @param name - under which it is mounted.
 * @param port - the session.
 */
export function listTool(name: string, port: ToolPort): ToolSpec {
  return {
    name,
    description: 'List the active reminders of this session, soonest first.',
    parameters: { properties: {} },
    async run(args) {
      return parseNothing(args) ?? transaction(port, 'list', (now) => only(viewList(port.ledger, now, port.policy)))
    },
    title: () => 'Reminders',
  }
}

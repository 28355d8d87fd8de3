import { site } from '../config.ts'

export default site

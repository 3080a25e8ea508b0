/*
 * Copyright the Phoenix Pruning authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express
 * or implied. See the License for the specific language governing permissions and limitations under
 * the License.
 */
/**
 * Objects that travel between a client and a region server: attributes of scans, filters, and the
 * answers to probes. Their class names and formats must not change, because clients and servers of
 * several versions work together. Lengths in the input are checked before memory is allocated,
 * except in Phoenix's expressions.
 *
 * <p>The module {@code patches/catalog} has two more classes of this package. Patches read the
 * attributes that these classes describe.
 */
package org.apache.phoenix.pruning.protocol;

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
package io.phoenixpruning.it.fuzz;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.tree.ClassDeclaration;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.runtime.ArrayBindable;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.runtime.Typed;
import org.apache.calcite.runtime.Utilities;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.ClassLoaderIClassLoader;
import org.codehaus.janino.IClassLoader;
import org.codehaus.janino.Parser;
import org.codehaus.janino.Scanner;
import org.codehaus.janino.UnitCompiler;
import org.codehaus.janino.util.ClassFile;

/**
 * Compiles plans of Calcite. For each plan, Calcite itself would read the descriptions of the used
 * classes again, which takes most of the time. This class reads them once for each thread.
 */
final class PlanCompiler {

  private static final ClassLoader PARENT = PlanCompiler.class.getClassLoader();
  private static final ThreadLocal<IClassLoader> CLASSES =
      ThreadLocal.withInitial(() -> new ClassLoaderIClassLoader(PARENT));

  private PlanCompiler() {}

  static Bindable<?> compile(EnumerableRel plan) {
    ClassDeclaration declaration =
        new EnumerableRelImplementor(plan.getCluster().getRexBuilder(), new HashMap<>())
            .implementRoot(plan, EnumerableRel.Prefer.ARRAY);
    String interfaces =
        plan.getRowType().getFieldCount() == 1
            ? Bindable.class.getName() + ", " + Typed.class.getName()
            : ArrayBindable.class.getName();
    String source =
        "public final class "
            + declaration.name
            + " extends "
            + Utilities.class.getName()
            + " implements "
            + interfaces
            + " {\n"
            + Expressions.toString(declaration.memberDeclarations, "\n", false)
            + "}";
    try {
      return (Bindable<?>)
          new Classes(classFiles(source))
              .loadClass(declaration.name)
              .getDeclaredConstructor()
              .newInstance();
    } catch (CompileException | IOException | ReflectiveOperationException e) {
      throw new IllegalStateException("Cannot compile a plan: " + e.getMessage(), e);
    }
  }

  private static List<ClassFile> classFiles(String source) throws CompileException, IOException {
    List<ClassFile> files = new ArrayList<>();
    new UnitCompiler(
            new Parser(new Scanner(null, new StringReader(source))).parseAbstractCompilationUnit(),
            CLASSES.get())
        .compileUnit(false, false, false, files);
    return files;
  }

  /** Loads the classes of one plan. */
  private static final class Classes extends ClassLoader {
    private final Map<String, byte[]> bytes = new HashMap<>();

    Classes(List<ClassFile> files) {
      super(PARENT);
      files.forEach(file -> bytes.put(file.getThisClassName(), file.toByteArray()));
    }

    /** Looks for the compiled classes first, because the parent would search all jars. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        byte[] code = bytes.remove(name);
        return code == null
            ? super.loadClass(name, resolve)
            : defineClass(name, code, 0, code.length);
      }
    }
  }
}
